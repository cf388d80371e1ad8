// listing_words.js holds the words that tell what a page lists: one object for each
// idea, one array for each language. Letters compare without case and accents.
({
  // What holds documents, or counts them.
  documents: {
    en: ["document", "documents", "attachment", "attachments", "attached files", "file", "files"],
    de: ["Dokument", "Dokumente", "Dokumenten", "Anhang", "Anhänge", "Anhängen", "Anlage", "Anlagen", "Datei", "Dateien", "Unterlagen", "Belege"],
    fr: ["document", "documents", "pièce jointe", "pièces jointes", "fichier", "fichiers", "annexes"],
    es: ["documento", "documentos", "adjunto", "adjuntos", "archivo", "archivos", "fichero", "ficheros"],
    it: ["documento", "documenti", "allegato", "allegati", "file"],
    pt: ["documento", "documentos", "anexo", "anexos", "arquivo", "arquivos", "ficheiro", "ficheiros"],
    nl: ["document", "documenten", "bijlage", "bijlagen", "bestand", "bestanden"],
    pl: ["dokument", "dokumenty", "dokumentów", "załącznik", "załączniki", "załączników", "plik", "pliki", "plików"],
  },
  // What a count may be of where it does not say documents.
  entries: {
    en: ["entries", "entry", "results", "result", "items", "item", "records", "record", "rows", "row", "total"],
    de: ["Einträge", "Einträgen", "Eintrag", "Ergebnisse", "Ergebnissen", "Elemente", "Elementen", "Datensätze", "Datensätzen", "insgesamt"],
    fr: ["entrées", "résultats", "éléments", "enregistrements", "au total"],
    es: ["entradas", "resultados", "elementos", "registros", "en total"],
    it: ["voci", "risultati", "elementi", "in totale"],
    pt: ["entradas", "resultados", "itens", "registros", "registos", "no total"],
    nl: ["resultaten", "items", "rijen", "totaal"],
    pl: ["wpisów", "wyników", "elementów", "rekordów", "łącznie"],
  },
  more: {
    en: ["more", "next", "older", "remaining", "further", "rest"],
    de: ["mehr", "weitere", "weiteren", "nächste", "nächster", "ältere", "übrige", "restliche"],
    fr: ["plus", "suite", "la suite", "suivant", "suivante", "suivants", "suivantes", "autres", "davantage"],
    es: ["más", "siguiente", "siguientes", "restantes"],
    it: ["altri", "altro", "successivo", "successiva", "successivi", "avanti", "di più", "rimanenti"],
    pt: ["mais", "próximo", "próxima", "seguinte", "seguintes", "restantes"],
    nl: ["meer", "volgende", "overige"],
    pl: ["więcej", "następny", "następna", "następne", "dalej", "kolejne", "pozostałe"],
  },
  all: {
    en: ["all"], de: ["alle", "alles", "sämtliche"], fr: ["tout", "tous", "toutes"], es: ["todo", "todos", "todas"],
    it: ["tutto", "tutti", "tutte"], pt: ["tudo", "todos", "todas"], nl: ["alle", "alles"], pl: ["wszystko", "wszystkie"],
  },
  // What says that a control shows the whole list.
  whole: {
    en: ["full", "complete", "entire"], de: ["ganze", "vollständige", "komplette"], fr: ["complète", "entière"], es: ["completa", "entera"], it: ["completo", "intero"],
    pt: ["completa", "inteira"], nl: ["volledige", "hele"], pl: ["pełna", "pełną", "całą"],
  },
  // What stands before a number of all that is listed.
  totals: {
    en: ["total", "in total", "overall"], de: ["gesamt", "insgesamt"], fr: ["total", "au total"], es: ["total", "en total"], it: ["totale", "in totale"], pt: ["total", "no total"],
    nl: ["totaal"], pl: ["łącznie", "razem"],
  },
  // What a count may be said with.
  counting: {
    en: ["there", "are", "is", "number", "count", "total", "showing", "shown", "displaying", "overall"],
    de: ["es", "gibt", "sind", "ist", "Anzahl", "Zahl", "gesamt", "insgesamt", "zeige", "Anzeige", "angezeigt", "werden"],
    fr: ["il", "y", "a", "nombre", "total", "affichage", "affichés"], es: ["hay", "número", "cantidad", "total", "mostrando"], it: ["ci", "sono", "numero", "totale", "visualizzati"],
    pt: ["há", "número", "quantidade", "total", "mostrando", "exibindo"], nl: ["er", "zijn", "is", "aantal", "totaal", "getoond"], pl: ["jest", "są", "liczba", "łącznie", "razem", "wyświetlono"],
  },
  show: {
    en: ["show", "view", "see", "display", "open", "load", "expand"],
    de: ["anzeigen", "zeigen", "zeige", "ansehen", "einblenden", "öffnen", "laden", "nachladen", "aufklappen"],
    fr: ["afficher", "voir", "montrer", "ouvrir", "consulter"],
    es: ["mostrar", "ver", "abrir", "desplegar"],
    it: ["mostra", "mostrare", "visualizza", "vedi", "apri"],
    pt: ["mostrar", "exibir", "ver", "visualizar", "abrir"],
    nl: ["tonen", "toon", "weergeven", "bekijken", "bekijk", "openen", "laden", "laad"],
    pl: ["pokaż", "wyświetl", "zobacz", "otwórz", "załaduj", "wczytaj", "rozwiń"],
  },
  download: {
    en: ["download", "downloads"], de: ["herunterladen", "Download"], fr: ["télécharger", "téléchargement"], es: ["descargar", "descarga"],
    it: ["scarica", "scaricare"], pt: ["baixar", "descarregar", "transferir"], nl: ["downloaden", "download"], pl: ["pobierz", "ściągnij"],
  },
  // Words that may stand in the label of a control that shows more.
  filler: {
    en: ["go", "the", "of", "to", "page", "pages", "this", "for", "and", "in", "list", "found", "available", "attached"],
    de: ["gehe", "gehen", "der", "die", "das", "den", "zu", "zur", "von", "Seite", "Seiten", "dieser", "und", "Liste", "gefunden", "vorhanden", "verfügbar"],
    fr: ["aller", "à", "le", "la", "les", "de", "des", "du", "page", "pages", "et", "liste", "en", "charger", "trouvés", "disponibles"],
    es: ["ir", "a", "el", "la", "los", "las", "de", "página", "páginas", "y", "lista", "cargar", "encontrados", "disponibles"],
    it: ["vai", "alla", "il", "la", "i", "gli", "le", "di", "pagina", "pagine", "e", "elenco", "carica", "caricare", "trovati", "disponibili"],
    pt: ["ir", "para", "o", "a", "os", "as", "de", "página", "páginas", "e", "lista", "carregar", "encontrados", "disponíveis"],
    nl: ["ga", "naar", "de", "het", "van", "pagina", "en", "lijst", "gevonden", "beschikbaar"],
    pl: ["przejdź", "do", "strona", "strony", "z", "i", "lista", "listę", "znaleziono", "dostępne"],
  },
  // Help, terms, print, export, upload, add and manage, and what else leads to no document.
  aside: {
    en: ["help", "about", "how", "faq", "learn", "terms", "privacy", "legal", "guide", "print", "export", "upload", "add", "attach", "manage", "new", "edit",
      "delete", "remove", "rename", "share", "preview all", "drop", "drag", "choose", "select", "browse", "sort", "filter", "search", "hide", "collapse", "less", "previous",
      "back", "app", "types", "settings", "options", "history", "details", "info", "subscribe", "notify", "request"],
    de: ["Hilfe", "über", "Info", "Informationen", "Bedingungen", "AGB", "Datenschutz", "Impressum", "drucken", "exportieren", "Export", "hochladen", "hinzufügen", "anhängen",
      "verwalten", "neu", "neues", "bearbeiten", "löschen", "entfernen", "umbenennen", "teilen", "auswählen", "sortieren", "filtern", "suchen", "ausblenden", "weniger",
      "vorherige", "zurück", "App", "Dateitypen", "Einstellungen", "Verlauf", "Optionen"],
    fr: ["aide", "à propos", "conditions", "confidentialité", "mentions légales", "imprimer", "exporter", "ajouter", "joindre", "gérer", "nouveau", "modifier", "supprimer",
      "partager", "choisir", "trier", "filtrer", "rechercher", "masquer", "moins", "précédent", "retour", "téléverser", "historique", "options", "paramètres", "application"],
    es: ["ayuda", "acerca", "condiciones", "privacidad", "imprimir", "exportar", "subir", "añadir", "agregar", "adjuntar", "gestionar", "administrar", "nuevo", "editar",
      "eliminar", "borrar", "compartir", "elegir", "seleccionar", "ordenar", "filtrar", "buscar", "ocultar", "menos", "anterior", "volver", "historial", "opciones", "aplicación"],
    it: ["aiuto", "guida", "informazioni", "condizioni", "privacy", "stampa", "esporta", "aggiungi", "allega", "gestisci", "nuovo", "modifica", "elimina", "condividi",
      "scegli", "seleziona", "ordina", "filtra", "cerca", "nascondi", "meno", "precedente", "indietro", "cronologia", "opzioni", "app"],
    pt: ["ajuda", "sobre", "condições", "termos", "privacidade", "imprimir", "exportar", "enviar", "adicionar", "anexar", "gerir", "gerenciar", "novo", "editar", "eliminar",
      "excluir", "apagar", "partilhar", "compartilhar", "escolher", "selecionar", "ordenar", "filtrar", "buscar", "pesquisar", "ocultar", "menos", "anterior", "voltar", "histórico", "opções"],
    nl: ["hulp", "help", "over", "voorwaarden", "privacy", "afdrukken", "exporteren", "uploaden", "toevoegen", "beheren", "nieuw", "bewerken", "verwijderen", "delen",
      "kiezen", "selecteren", "sorteren", "filteren", "zoeken", "verbergen", "minder", "vorige", "terug", "geschiedenis", "opties", "app"],
    pl: ["pomoc", "warunki", "regulamin", "prywatność", "drukuj", "eksportuj", "prześlij", "dodaj", "załącz", "zarządzaj", "nowy", "edytuj", "usuń", "udostępnij",
      "wybierz", "sortuj", "filtruj", "szukaj", "ukryj", "mniej", "poprzedni", "poprzednia", "wstecz", "historia", "opcje", "aplikacja"],
  },
  // Those of the words above that the name of a document may begin or end with, too.
  topics: {
    en: ["guide", "request", "details", "history", "info", "new"], de: ["Info", "Informationen", "Verlauf", "neu", "neues"], fr: ["historique", "nouveau"], es: ["historial", "nuevo"],
    it: ["guida", "informazioni", "cronologia", "nuovo"], pt: ["histórico", "novo"], nl: ["geschiedenis", "nieuw"], pl: ["historia", "nowy"],
  },
  // Labels of what a list is worked with.
  tools: {
    en: ["refresh", "reload", "reset", "clear", "apply", "ok", "done", "menu", "actions", "comment", "reply", "contact", "contact supplier", "contact us", "imprint", "list view", "grid view", "table view", "feedback", "home", "top", "up", "back", "undo"],
    de: ["aktualisieren", "neu laden", "zurücksetzen", "leeren", "anwenden", "ok", "fertig", "Menü", "Aktionen", "kommentieren", "antworten", "Kontakt", "nach oben", "Startseite"],
    fr: ["actualiser", "recharger", "réinitialiser", "effacer", "appliquer", "ok", "menu", "actions", "commenter", "répondre", "contact", "accueil"],
    es: ["actualizar", "recargar", "restablecer", "limpiar", "aplicar", "ok", "menú", "acciones", "comentar", "responder", "contacto", "inicio"],
    it: ["aggiorna", "ricarica", "reimposta", "applica", "ok", "menu", "azioni", "commenta", "rispondi", "contatti"],
    pt: ["atualizar", "recarregar", "limpar", "aplicar", "ok", "menu", "ações", "comentar", "responder", "contato", "contacto", "início"],
    nl: ["vernieuwen", "herladen", "wissen", "toepassen", "ok", "menu", "acties", "reageren", "contact"],
    pl: ["odśwież", "wyczyść", "zastosuj", "ok", "menu", "akcje", "komentuj", "odpowiedz", "kontakt"],
  },
  // What stands for those that were ticked.
  selected: {
    en: ["selected"], de: ["ausgewählte", "ausgewähltes", "Auswahl", "markierte"], fr: ["sélection", "sélectionnés"], es: ["selección", "seleccionados"], it: ["selezione", "selezionati"],
    pt: ["seleção", "selecionados"], nl: ["selectie", "geselecteerde"], pl: ["zaznaczone", "wybrane"],
  },
  // What says that there are none.
  none: {
    en: ["no", "none", "nothing", "empty", "n/a", "not"], de: ["keine", "kein", "keinerlei", "leer"], fr: ["aucun", "aucune", "pas de", "vide"], es: ["no hay", "ningún", "ninguno", "sin"],
    it: ["nessun", "nessuno", "non ci sono", "vuoto"], pt: ["nenhum", "não há", "sem", "vazio"], nl: ["geen", "leeg"], pl: ["brak", "nie ma", "pusto"],
  },
  // What a count or a control is about that is no document.
  others: {
    en: ["line", "lines", "order", "orders", "PO", "POs", "position", "positions", "comment", "comments", "message", "messages", "user", "users", "event", "events",
      "page", "pages", "product", "products", "shipment", "shipments", "delivery", "deliveries", "day", "days", "hour", "hours", "approval", "approvals", "step", "steps",
      "KB", "MB", "GB", "bytes", "pieces", "pcs", "supplier", "suppliers", "project", "projects", "requisition", "requisitions"],
    de: ["Zeile", "Zeilen", "Position", "Positionen", "Bestellung", "Bestellungen", "Auftrag", "Aufträge", "Kommentar", "Kommentare", "Nachricht", "Nachrichten", "Seite",
      "Seiten", "Produkt", "Produkte", "Artikel", "Lieferung", "Lieferungen", "Tag", "Tage", "Tagen", "Stück", "Schritt", "Schritte", "Lieferant", "Lieferanten"],
    fr: ["ligne", "lignes", "commande", "commandes", "commentaire", "commentaires", "message", "messages", "page", "pages", "produit", "produits", "article", "articles",
      "livraison", "livraisons", "jour", "jours", "étape", "étapes", "Ko", "Mo", "Go", "fournisseur", "fournisseurs"],
    es: ["línea", "líneas", "pedido", "pedidos", "comentario", "comentarios", "mensaje", "mensajes", "página", "páginas", "producto", "productos", "artículo", "artículos",
      "entrega", "entregas", "día", "días", "paso", "pasos", "proveedor", "proveedores"],
    it: ["riga", "righe", "ordine", "ordini", "commento", "commenti", "messaggio", "messaggi", "pagina", "pagine", "prodotto", "prodotti", "articolo", "articoli", "consegna",
      "consegne", "giorno", "giorni", "passo", "fornitore", "fornitori"],
    pt: ["linha", "linhas", "pedido", "pedidos", "encomenda", "encomendas", "comentário", "comentários", "mensagem", "mensagens", "página", "páginas", "produto", "produtos",
      "artigo", "artigos", "entrega", "entregas", "dia", "dias", "passo", "fornecedor", "fornecedores"],
    nl: ["regel", "regels", "bestelling", "bestellingen", "opmerking", "opmerkingen", "bericht", "berichten", "pagina", "pagina's", "product", "producten", "artikel",
      "artikelen", "levering", "leveringen", "dag", "dagen", "stap", "leverancier", "leveranciers"],
    pl: ["wiersz", "wierszy", "pozycja", "pozycji", "zamówienie", "zamówienia", "zamówień", "komentarz", "komentarzy", "wiadomość", "wiadomości", "strona", "strony", "stron", "produkt",
      "produktów", "dostawa", "dostaw", "dzień", "dni", "krok", "dostawca", "dostawców"],
  },
  page: {
    en: ["page"], de: ["Seite"], fr: ["page"], es: ["página"], it: ["pagina"], pt: ["página"], nl: ["pagina"], pl: ["strona"],
  },
  of: {
    en: ["of", "out of"], de: ["von", "aus"], fr: ["sur", "de"], es: ["de"], it: ["di", "su"], pt: ["de"], nl: ["van", "van de"], pl: ["z", "ze"],
  },
  to: {
    en: ["to", "through"], de: ["bis"], fr: ["à"], es: ["a", "al"], it: ["a"], pt: ["a", "até"], nl: ["tot", "t/m", "tot en met"], pl: ["do"],
  },
  // Beside a number they say what is allowed, not what is there.
  limits: {
    en: ["max", "maximum", "limit", "up to", "upload", "uploads", "allowed", "per", "drag", "drop", "at most", "only"],
    de: ["max", "maximal", "höchstens", "bis zu", "hochladen", "erlaubt", "zulässig", "pro", "je", "nur"],
    fr: ["max", "maximum", "jusqu'à", "autorisé", "autorisés", "par", "au plus"],
    es: ["máx", "máximo", "hasta", "permitido", "permitidos", "por", "como máximo"],
    it: ["max", "massimo", "fino a", "consentiti", "per"],
    pt: ["máx", "máximo", "até", "permitido", "permitidos", "por"],
    nl: ["max", "maximaal", "hooguit", "toegestaan", "per"],
    pl: ["maks", "maksymalnie", "do", "dozwolone", "na"],
  },
  // Behind "2 of 10 files" they say how many may be there.
  quota: {
    en: ["uploaded", "upload", "used", "allowed", "quota", "limit", "maximum"], de: ["hochgeladen", "verwendet", "genutzt", "erlaubt", "maximal"],
    fr: ["téléversés", "téléchargés", "utilisés", "autorisés", "maximum"], es: ["subidos", "cargados", "usados", "permitidos", "máximo"], it: ["caricati", "usati", "utilizzati", "consentiti", "massimo"],
    pt: ["carregados", "enviados", "usados", "permitidos", "máximo"], nl: ["geüpload", "gebruikt", "toegestaan", "maximaal"], pl: ["przesłano", "przesłanych", "użyto", "dozwolonych", "maksymalnie"],
  },
  // What a control may show more of, besides documents.
  versions: {
    en: ["version", "versions"], de: ["Version", "Versionen"], fr: ["version", "versions"], es: ["versión", "versiones"], it: ["versione", "versioni"], pt: ["versão", "versões"],
    nl: ["versie", "versies"], pl: ["wersja", "wersje"],
  },
  // With one of these the word document is no list of documents.
  about: {
    en: ["date", "type", "types", "number", "no", "id", "status", "owner", "currency", "category", "version", "reference", "language", "flow"],
    de: ["Datum", "Typ", "Art", "Nummer", "Nr", "Status", "Währung", "Kategorie", "Version", "Referenz", "Sprache", "Fluss"],
    fr: ["date", "type", "types", "numéro", "nº", "statut", "devise", "catégorie", "version", "référence", "langue"],
    es: ["fecha", "tipo", "tipos", "número", "nº", "estado", "moneda", "categoría", "versión", "referencia", "idioma"],
    it: ["data", "tipo", "tipi", "numero", "nº", "stato", "valuta", "categoria", "versione", "riferimento", "lingua"],
    pt: ["data", "tipo", "tipos", "número", "nº", "estado", "moeda", "categoria", "versão", "referência", "idioma"],
    nl: ["datum", "type", "nummer", "nr", "status", "valuta", "categorie", "versie", "referentie", "taal"],
    pl: ["data", "typ", "numer", "nr", "status", "waluta", "kategoria", "wersja", "język"],
  },
  // Documents of these are other orders, requests or contracts.
  related: {
    en: ["related", "linked", "previous", "referenced", "follow-on"], de: ["verknüpfte", "zugehörige", "verwandte", "verbundene", "vorherige", "referenzierte"],
    fr: ["liés", "liées", "associés", "associées", "connexes"], es: ["relacionados", "relacionadas", "vinculados", "asociados"],
    it: ["correlati", "collegati", "associati"], pt: ["relacionados", "vinculados", "associados"],
    nl: ["gerelateerde", "gekoppelde", "bijbehorende"], pl: ["powiązane", "związane"],
  },
  order: {
    en: ["order", "PO", "purchase order"], de: ["Bestellung", "Auftrag"], fr: ["commande"], es: ["pedido", "orden"], it: ["ordine"],
    pt: ["pedido", "encomenda", "ordem"], nl: ["bestelling", "order"], pl: ["zamówienie"],
  },
  // What begins with one of these does more than show something.
  refused: {
    en: ["accept", "confirm", "acknowledge", "approve", "reject", "decline", "cancel", "close", "reopen", "re-open", "create", "submit", "delete", "send", "pay", "sign",
      "save", "log out", "logout", "log off", "sign out"],
    de: ["annehmen", "akzeptieren", "bestätigen", "genehmigen", "freigeben", "ablehnen", "zurückweisen", "stornieren", "abbrechen", "schließen", "abschließen",
      "wieder öffnen", "erneut öffnen", "wiedereröffnen", "erstellen", "anlegen", "absenden", "einreichen", "löschen", "senden", "versenden", "verschicken", "bezahlen",
      "zahlen", "unterschreiben", "unterzeichnen", "signieren", "speichern", "abmelden", "ausloggen"],
    fr: ["accepter", "acceptez", "confirmer", "confirmez", "accuser réception", "approuver", "approuvez", "valider", "rejeter", "refuser", "décliner", "annuler", "fermer",
      "clôturer", "rouvrir", "créer", "soumettre", "supprimer", "envoyer", "payer", "régler", "signer", "enregistrer", "sauvegarder", "se déconnecter", "déconnexion"],
    es: ["aceptar", "confirmar", "acusar recibo", "aprobar", "rechazar", "declinar", "cancelar", "anular", "cerrar", "reabrir", "crear", "enviar", "eliminar", "borrar",
      "pagar", "firmar", "guardar", "cerrar sesión", "desconectar"],
    it: ["accetta", "accettare", "conferma", "confermare", "approva", "approvare", "rifiuta", "rifiutare", "respingi", "declina", "annulla", "annullare", "chiudi",
      "chiudere", "riapri", "riaprire", "crea", "creare", "invia", "inviare", "elimina", "eliminare", "cancella", "paga", "pagare", "firma", "firmare", "salva", "salvare",
      "esci", "disconnetti"],
    pt: ["aceitar", "confirmar", "aprovar", "rejeitar", "recusar", "declinar", "cancelar", "anular", "fechar", "encerrar", "reabrir", "criar", "submeter", "enviar",
      "eliminar", "excluir", "apagar", "pagar", "assinar", "salvar", "guardar", "gravar", "sair", "terminar sessão", "encerrar sessão"],
    nl: ["accepteren", "accepteer", "aanvaarden", "bevestigen", "bevestig", "goedkeuren", "afwijzen", "weigeren", "annuleren", "annuleer", "sluiten", "sluit", "heropenen",
      "aanmaken", "maken", "indienen", "verwijderen", "verwijder", "verzenden", "versturen", "verstuur", "betalen", "betaal", "ondertekenen", "onderteken", "opslaan",
      "uitloggen", "afmelden"],
    pl: ["akceptuj", "zaakceptuj", "przyjmij", "potwierdź", "zatwierdź", "odrzuć", "anuluj", "zamknij", "otwórz ponownie", "utwórz", "stwórz", "prześlij", "wyślij",
      "złóż", "usuń", "zapłać", "opłać", "podpisz", "zapisz", "wyloguj", "wyloguj się"],
  },
  // What begins with one of these does something to a document that is there.
  acts: {
    en: ["edit", "delete", "remove", "rename", "replace"], de: ["bearbeiten", "löschen", "entfernen", "umbenennen", "ersetzen"],
    fr: ["modifier", "supprimer", "retirer", "renommer", "remplacer"], es: ["editar", "modificar", "eliminar", "borrar", "quitar", "renombrar", "reemplazar"],
    it: ["modifica", "elimina", "rimuovi", "rinomina", "sostituisci"], pt: ["editar", "eliminar", "excluir", "apagar", "remover", "renomear", "substituir"],
    nl: ["bewerken", "verwijderen", "hernoemen", "vervangen"], pl: ["edytuj", "usuń", "zmień nazwę", "zastąp"],
  },
  // What begins with one of these brings a document in, makes one of the page, or hands one on.
  makes: {
    en: ["add", "upload", "attach", "manage", "print", "export", "share", "preview all"], de: ["hochladen", "hinzufügen", "anhängen", "verwalten", "drucken", "exportieren", "teilen"],
    fr: ["ajouter", "téléverser", "joindre", "gérer", "imprimer", "exporter", "partager"], es: ["añadir", "agregar", "subir", "adjuntar", "gestionar", "administrar", "imprimir", "exportar", "compartir"],
    it: ["aggiungi", "carica", "allega", "gestisci", "stampa", "esporta", "condividi"], pt: ["adicionar", "anexar", "gerir", "gerenciar", "imprimir", "exportar", "partilhar", "compartilhar"],
    nl: ["toevoegen", "uploaden", "beheren", "afdrukken", "exporteren", "delen"], pl: ["dodaj", "załącz", "prześlij", "zarządzaj", "drukuj", "eksportuj", "udostępnij"],
  },
  // What begins with one of these helps.
  help: {
    en: ["help", "how", "faq"], de: ["Hilfe"], fr: ["aide"], es: ["ayuda"], it: ["aiuto"], pt: ["ajuda"], nl: ["hulp", "help"], pl: ["pomoc"],
  },
  // Words after which what looks like such a verb is a noun: "Conferma d'ordine".
  nouns: { en: ["of"], fr: ["de", "d"], es: ["de"], it: ["di", "d", "dell", "del", "della", "dei"], pt: ["de", "do", "da"] },
})
