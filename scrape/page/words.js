// words.js is one object: the words that poscrape knows on pages, for each idea and
// each language. docs/words.md lists them. A phrase is found whatever its case, with any
// white space, and only where no letter stands directly before or after it. One that
// begins with "=" counts only where it is all that a title, heading or alert says.
({
  // What an order is called.
  order: {
    en: ["purchase order", "order", "p.o.", "po"],
    de: ["bestellung", "bestell", "auftrag", "auftrags"],
    fr: ["bon de commande", "commande"],
    es: ["orden de compra", "pedido", "orden"],
    it: ["ordine d'acquisto", "ordine di acquisto", "ordine"],
    pt: ["ordem de compra", "pedido de compra", "encomenda", "pedido"],
    nl: ["inkooporder", "bestelling", "bestel", "inkoopbestelling"],
    pl: ["zamówienie", "zamówienia"],
  },
  // What stands for its number.
  number: {
    en: ["number", "num", "no", "nos", "id", "ref", "reference", "code"],
    de: ["nummer", "nr"],
    fr: ["numéro", "n°", "nº", "num", "réf", "référence"],
    es: ["número", "nº", "núm"],
    it: ["numero", "n°", "nº", "n"],
    pt: ["número", "nº", "núm"],
    nl: ["nummer", "nr"],
    pl: ["numer", "nr"],
  },
  // What makes a number that of something else.
  otherKind: {
    en: ["invoice", "inv", "quote", "quotation", "rfq", "rfi", "requisition", "req", "delivery", "shipment", "receipt", "contract", "customer", "supplier", "vendor", "item", "ticket", "case", "so", "wo", "pr", "rma", "asn", "grn"],
    de: ["rechnung", "angebot", "anfrage", "lieferung", "lieferschein", "vertrag", "kunde", "kunden", "lieferant", "lieferanten", "artikel", "kundenauftrag"],
    fr: ["facture", "devis", "livraison", "contrat", "client", "fournisseur", "article"],
    es: ["factura", "cotización", "entrega", "contrato", "cliente", "proveedor", "artículo"],
    it: ["fattura", "offerta", "consegna", "contratto", "cliente", "fornitore", "articolo"],
    pt: ["fatura", "cotação", "entrega", "contrato", "cliente", "fornecedor", "artigo"],
    nl: ["factuur", "offerte", "levering", "contract", "klant", "leverancier", "artikel"],
    pl: ["faktura", "oferta", "dostawa", "umowa", "klient", "dostawca"],
  },
  // What makes an order one of another kind.
  otherOrder: {
    en: ["sales", "work", "change", "production", "service", "transfer", "internal"],
    de: ["verkaufs", "interner"],
    fr: ["interne"],
    es: ["interna", "interno"],
    it: ["interno"],
    pt: ["interna", "interno"],
    nl: ["interne"],
    pl: ["wewnętrzne"],
  },
  // What may stand between that and the number, as in "Invoice for 1001".
  between: {
    en: ["is", "are", "for", "of", "to", "with", "on", "by", "from", "in", "the", "your", "our", "this", "about"],
    de: ["ist", "sind", "für", "zu", "zur", "zum", "von", "der", "die", "das", "über", "mit", "ihre", "diese"],
    fr: ["est", "pour", "de", "du", "la", "le", "votre", "cette"],
    es: ["es", "para", "de", "del", "la", "el", "su", "sobre"],
    it: ["è", "per", "di", "del", "la", "il", "vostra", "questa"],
    pt: ["é", "para", "de", "do", "da", "a", "o", "sua"],
    nl: ["is", "voor", "van", "de", "het", "uw", "over"],
    pl: ["to", "jest", "dla", "do", "z", "o", "twoja"],
  },
  // A page that says that there is no such order.
  notFound: {
    en: ["not found", "no results", "0 results", "no match", "no matches", "nothing found", "no such order", "no such purchase order", "does not exist", "doesn't exist", "could not be found", "couldn't be found", "could not find", "couldn't find", "cannot be found", "can't be found", "unknown order", "no longer exists", "=404", "no longer available", "page isn't available", "page is not available", "content not available", "content isn't available", "=page unavailable"],
    de: ["nicht gefunden", "existiert nicht", "keine ergebnisse", "keine treffer", "nicht vorhanden", "unbekannte bestellung", "keine solche bestellung", "existiert nicht mehr"],
    fr: ["introuvable", "n'existe pas", "n'existe plus", "aucun résultat", "pas trouvé", "pas trouvée", "pas été trouvé", "pas été trouvée", "non trouvé", "non trouvée", "commande inconnue"],
    es: ["no encontrado", "no encontrada", "no existe", "sin resultados", "no se encontró", "no se ha encontrado", "no se encuentra", "ningún resultado"],
    it: ["non trovato", "non trovata", "non esiste", "nessun risultato", "inesistente", "impossibile trovare"],
    pt: ["não encontrado", "não encontrada", "não existe", "sem resultados", "nenhum resultado", "não foi encontrado", "não foi encontrada", "não foi possível encontrar"],
    nl: ["niet gevonden", "bestaat niet", "geen resultaten", "onbekende bestelling", "kon niet worden gevonden"],
    pl: ["nie znaleziono", "nie istnieje", "brak wyników", "nie odnaleziono", "nie została znaleziona"],
  },
  // A page that says that the order may not be seen.
  denied: {
    en: ["access denied", "access is denied", "access forbidden", "not authorized", "not authorised", "not allowed to view", "not permitted to view", "permission denied", "no permission", "do not have permission", "don't have permission", "do not have access", "don't have access", "insufficient permissions", "insufficient privileges", "unauthorized", "=forbidden", "=403", "403 forbidden", "you need permission", "you need access", "=request access"],
    de: ["zugriff verweigert", "keine berechtigung", "nicht berechtigt", "zugriff nicht gestattet", "kein zugriff", "fehlende berechtigung"],
    fr: ["accès refusé", "accès interdit", "pas autorisé", "pas autorisée", "non autorisé", "pas les droits", "droits insuffisants"],
    es: ["acceso denegado", "no autorizado", "no está autorizado", "no tiene permiso", "sin permiso", "permiso denegado"],
    it: ["accesso negato", "non autorizzato", "non sei autorizzato", "non si dispone dell'autorizzazione", "permesso negato", "non hai i permessi"],
    pt: ["acesso negado", "não autorizado", "não tem permissão", "sem permissão", "permissão negada"],
    nl: ["toegang geweigerd", "geen toegang", "niet gemachtigd", "niet geautoriseerd", "geen toestemming"],
    pl: ["odmowa dostępu", "brak dostępu", "brak uprawnień", "nie masz uprawnień", "dostęp zabroniony"],
  },
  // A page that is an error.
  error: {
    en: ["internal server error", "server error", "application error", "unexpected error", "runtime error", "an error occurred", "an error has occurred", "error occurred", "something went wrong", "service unavailable", "bad gateway", "gateway timeout", "gateway time-out", "bad request", "too many requests", "request timed out", "page cannot be displayed", "technical difficulties", "technical problem", "could not be processed", "try again later", "=error", "=oops", "=500", "=502", "=503", "=504"],
    de: ["interner serverfehler", "serverfehler", "anwendungsfehler", "unerwarteter fehler", "ein fehler ist aufgetreten", "fehler aufgetreten", "etwas ist schiefgelaufen", "etwas ist schief gelaufen", "dienst nicht verfügbar", "technische störung", "technischer fehler", "später erneut", "=fehler"],
    fr: ["erreur interne", "erreur du serveur", "erreur serveur", "erreur inattendue", "une erreur est survenue", "une erreur s'est produite", "service indisponible", "erreur technique", "réessayer plus tard", "réessayez plus tard", "=erreur"],
    es: ["error interno", "error del servidor", "error inesperado", "se ha producido un error", "se produjo un error", "ha ocurrido un error", "ocurrió un error", "algo salió mal", "servicio no disponible", "error técnico", "más tarde"],
    it: ["errore interno", "errore del server", "errore imprevisto", "si è verificato un errore", "qualcosa è andato storto", "servizio non disponibile", "errore tecnico", "riprova più tardi", "=errore"],
    pt: ["erro interno", "erro do servidor", "erro no servidor", "erro inesperado", "ocorreu um erro", "algo correu mal", "algo deu errado", "serviço indisponível", "erro técnico", "tente novamente mais tarde", "=erro"],
    nl: ["interne serverfout", "serverfout", "onverwachte fout", "er is een fout opgetreden", "er is iets misgegaan", "er ging iets mis", "dienst niet beschikbaar", "technische storing", "probeer het later", "=fout"],
    pl: ["wewnętrzny błąd serwera", "błąd serwera", "nieoczekiwany błąd", "wystąpił błąd", "coś poszło nie tak", "usługa niedostępna", "błąd techniczny", "spróbuj ponownie później", "=błąd"],
  },
  // A page that says that the portal is down for maintenance.
  maintenance: {
    en: ["under maintenance", "down for maintenance", "undergoing maintenance", "maintenance mode", "scheduled maintenance", "planned maintenance", "site maintenance", "system maintenance", "maintenance in progress", "temporarily unavailable", "temporarily down", "back soon", "=maintenance"],
    de: ["wartungsarbeiten", "wartungsmodus", "wird gewartet", "in wartung", "vorübergehend nicht verfügbar", "vorübergehend nicht erreichbar", "=wartung"],
    fr: ["en maintenance", "en cours de maintenance", "maintenance en cours", "maintenance planifiée", "temporairement indisponible", "momentanément indisponible"],
    es: ["en mantenimiento", "mantenimiento programado", "tareas de mantenimiento", "temporalmente no disponible", "=mantenimiento"],
    it: ["in manutenzione", "manutenzione programmata", "manutenzione in corso", "temporaneamente non disponibile", "=manutenzione"],
    pt: ["em manutenção", "manutenção programada", "temporariamente indisponível", "=manutenção"],
    nl: ["in onderhoud", "onderhoudsmodus", "gepland onderhoud", "onderhoudswerkzaamheden", "tijdelijk niet beschikbaar", "=onderhoud"],
    pl: ["przerwa techniczna", "prace konserwacyjne", "prace serwisowe", "w trakcie konserwacji", "tymczasowo niedostępny", "tymczasowo niedostępna"],
  },
  // A page that asks for a sign-in.
  signIn: {
    en: ["=sign in", "=log in", "=login", "=logon", "=log on", "=sign on", "please sign in", "please log in", "sign in to", "log in to", "login required", "session expired", "session has expired", "session timed out", "session has timed out", "session timeout", "signed out", "logged out", "authentication required"],
    de: ["=anmelden", "=anmeldung", "=einloggen", "bitte melden sie sich an", "bitte anmelden", "sitzung abgelaufen", "sitzung ist abgelaufen", "anmeldung erforderlich", "abgemeldet"],
    fr: ["=connexion", "=se connecter", "=identification", "veuillez vous connecter", "connectez-vous", "session expirée", "session a expiré", "authentification requise"],
    es: ["=iniciar sesión", "=inicio de sesión", "=acceder", "inicie sesión", "inicia sesión", "sesión expirada", "sesión caducada", "sesión ha caducado", "sesión ha expirado"],
    it: ["=accedi", "=accesso", "effettua l'accesso", "effettuare l'accesso", "sessione scaduta", "sessione è scaduta"],
    pt: ["=iniciar sessão", "=entrar", "=acesso", "inicie sessão", "faça login", "sessão expirada", "sessão expirou"],
    nl: ["=inloggen", "=aanmelden", "meld u aan", "log in om", "sessie verlopen", "sessie is verlopen"],
    pl: ["=zaloguj się", "=logowanie", "zaloguj się, aby", "sesja wygasła", "wymagane logowanie"],
  },
  // What a form says that changes a password, and is no sign-in.
  changePassword: {
    en: ["change password", "change your password", "new password", "repeat password", "confirm password"],
    de: ["passwort ändern", "kennwort ändern", "neues passwort", "neues kennwort", "passwort wiederholen"],
    fr: ["changer le mot de passe", "modifier le mot de passe", "nouveau mot de passe"],
    es: ["cambiar contraseña", "cambiar la contraseña", "nueva contraseña"],
    it: ["cambia password", "modifica password", "nuova password"],
    pt: ["alterar senha", "alterar palavra-passe", "nova senha", "nova palavra-passe"],
    nl: ["wachtwoord wijzigen", "nieuw wachtwoord"],
    pl: ["zmień hasło", "zmiana hasła", "nowe hasło"],
  },
  // The heading of a page that lists orders.
  orders: {
    en: ["=orders", "=all orders", "=my orders", "=purchase orders", "=order list", "=list of orders", "=open orders", "=search results", "=recent orders", "=order overview"],
    de: ["=bestellungen", "=alle bestellungen", "=meine bestellungen", "=bestellübersicht", "=bestellliste", "=offene bestellungen", "=suchergebnisse"],
    fr: ["=commandes", "=mes commandes", "=toutes les commandes", "=liste des commandes", "=résultats de recherche", "=bons de commande"],
    es: ["=pedidos", "=mis pedidos", "=todos los pedidos", "=lista de pedidos", "=resultados de búsqueda", "=órdenes de compra"],
    it: ["=ordini", "=i miei ordini", "=tutti gli ordini", "=elenco ordini", "=risultati della ricerca", "=ordini d'acquisto"],
    pt: ["=encomendas", "=pedidos", "=meus pedidos", "=as minhas encomendas", "=lista de pedidos", "=resultados da pesquisa", "=ordens de compra"],
    nl: ["=bestellingen", "=mijn bestellingen", "=alle bestellingen", "=inkooporders", "=zoekresultaten"],
    pl: ["=zamówienia", "=moje zamówienia", "=wszystkie zamówienia", "=lista zamówień", "=wyniki wyszukiwania"],
  },
  // What says that something is still on its way. The whole text is such a phrase, with
  // nothing but a number, what is loaded, and small words beside it.
  loading: {
    en: ["loading", "please wait", "just a moment", "one moment", "fetching", "retrieving", "searching", "being loaded", "being fetched", "being retrieved", "hang on", "hold on", "while we load", "while we get", "while we fetch", "while we retrieve", "while we prepare", "while we collect"],
    de: ["wird geladen", "werden geladen", "lädt", "lade", "bitte warten", "einen moment", "moment bitte", "ladevorgang läuft", "am laden", "wird noch geladen", "werden noch geladen"],
    fr: ["chargement", "chargement en cours", "en cours de chargement", "veuillez patienter", "un instant", "un moment"],
    es: ["cargando", "espere", "un momento"],
    it: ["caricamento", "caricamento in corso", "attendere", "attendi", "un momento"],
    pt: ["carregando", "a carregar", "aguarde", "um momento"],
    nl: ["wordt geladen", "worden geladen", "bezig met laden", "even geduld", "een moment"],
    pl: ["ładowanie", "wczytywanie", "trwa ładowanie", "trwa wczytywanie", "proszę czekać", "chwileczkę"],
  },
  // What says so where dots follow, or documents are named.
  working: {
    en: ["working on it", "getting", "preparing", "being prepared", "collecting", "gathering", "looking for", "looking up", "checking for", "generating", "processing"],
    de: ["wird vorbereitet", "werden vorbereitet", "wird abgerufen", "werden abgerufen", "rufe", "suche", "wird gesucht", "werden gesucht"],
    fr: ["préparation", "récupération", "en préparation", "recherche", "patientez"],
    es: ["preparando", "obteniendo", "recuperando", "buscando"],
    it: ["preparazione", "recupero", "ricerca"],
    pt: ["a preparar", "preparando", "a obter", "obtendo", "procurando"],
    nl: ["wordt opgehaald", "worden opgehaald", "wordt voorbereid", "worden voorbereid", "ophalen", "zoeken"],
    pl: ["przygotowywanie", "trwa przygotowywanie", "pobieranie", "trwa pobieranie", "wyszukiwanie"],
  },
  // What may be loaded.
  loaded: {
    en: ["document", "documents", "attachment", "attachments", "file", "files", "data", "page", "content", "contents", "results", "information", "previews"],
    de: ["dokument", "dokumente", "anlage", "anlagen", "anhang", "anhänge", "datei", "dateien", "daten", "seite", "inhalt", "inhalte", "ergebnisse"],
    fr: ["document", "documents", "pièce jointe", "pièces jointes", "fichier", "fichiers", "données", "page", "contenu", "résultats"],
    es: ["documento", "documentos", "adjunto", "adjuntos", "archivo", "archivos", "datos", "página", "contenido", "resultados"],
    it: ["documento", "documenti", "allegato", "allegati", "file", "dati", "pagina", "contenuto", "contenuti", "risultati"],
    pt: ["documento", "documentos", "anexo", "anexos", "ficheiro", "ficheiros", "arquivo", "arquivos", "dados", "página", "conteúdo", "resultados"],
    nl: ["document", "documenten", "bijlage", "bijlagen", "bestand", "bestanden", "gegevens", "pagina", "inhoud", "resultaten"],
    pl: ["dokument", "dokumenty", "dokumentów", "załącznik", "załączniki", "załączników", "plik", "pliki", "plików", "dane", "danych", "strona", "strony", "treść", "wyniki"],
  },
  // What may be loaded too, but also is a heading by itself: only with one of the small
  // words, a number, or dots.
  loadedToo: {
    en: ["order", "orders", "details", "list", "items", "lines", "order details", "purchase order", "archive"],
    de: ["bestellung", "bestellungen", "details", "liste", "positionen", "auftrag", "archiv"],
    fr: ["commande", "commandes", "détails", "liste", "lignes", "archives"],
    es: ["pedido", "pedidos", "detalles", "lista", "líneas", "archivo"],
    it: ["ordine", "ordini", "dettagli", "elenco", "righe", "archivio"],
    pt: ["pedido", "pedidos", "encomenda", "detalhes", "lista", "linhas", "arquivo"],
    nl: ["bestelling", "bestellingen", "details", "lijst", "regels", "archief"],
    pl: ["zamówienie", "zamówienia", "szczegóły", "lista", "pozycje", "archiwum"],
  },
  // Small words that change nothing.
  small: {
    en: ["the", "your", "more", "a", "an", "of", "for", "this", "is", "are", "was", "has", "have", "been", "we", "you", "sorry", "that", "in", "our", "with", "it", "or", "to", "view", "requested", "asked", "system", "while", "page", "please", "data", "by", "from", "at", "on", "and", "any", "not", "no", "there", "displaying", "showing", "opening", "occurred", "as", "be", "can", "could", "may", "were", "requesting", "while", "still", "now", "these"],
    de: ["die", "der", "das", "ihre", "ihr", "weitere", "mehr", "ist", "sind", "wurde", "wurden", "diese", "dieser", "leider", "zu", "mit", "im", "system", "konnte", "wir", "sie", "haben", "angeforderte", "für", "bei", "beim", "und", "oder", "den", "dem", "des", "ein", "eine", "nicht", "auf", "von", "es", "zum", "zur", "anzeigen", "öffnen", "laden", "nummer", "noch", "gerade", "diesen"],
    fr: ["le", "la", "les", "des", "de", "du", "vos", "votre", "d'autres", "autres", "est", "a", "été", "cette", "ce", "cet", "désolé", "pour", "demandée", "n'a", "n'ont", "s'il", "vous", "plaît", "en", "au", "aux", "et", "ou", "que", "qui", "une", "un", "sur", "par", "avec", "ne", "pas", "accéder", "afficher", "encore", "toujours"],
    es: ["el", "la", "los", "las", "sus", "su", "más", "de", "este", "esta", "por", "favor", "lo", "sentimos", "con", "para", "ha", "sido", "en", "y", "o", "del", "al", "que", "una", "un", "se", "no", "ver", "acceder", "al", "todavía", "aún"],
    it: ["il", "la", "i", "gli", "le", "lo", "l'", "di", "dei", "altri", "questo", "prego", "si", "spiacenti", "con", "per", "è", "stato", "in", "corso", "a", "e", "o", "al", "alla", "del", "della", "dell'", "l'ordine", "che", "una", "un", "non", "vedere", "accedere", "ancora"],
    pt: ["o", "a", "os", "as", "seus", "mais", "de", "por", "favor", "este", "esta", "com", "para", "foi", "desculpe", "em", "e", "ou", "do", "da", "ao", "à", "que", "uma", "um", "não", "ver", "aceder", "ainda"],
    nl: ["de", "het", "uw", "meer", "van", "deze", "dit", "is", "met", "voor", "sorry", "helaas", "a", "u", "b", "en", "of", "een", "bij", "om", "te", "niet", "op", "bekijken", "nog"],
    pl: ["się", "to", "ten", "tego", "jest", "dla", "o", "więcej", "kolejne", "niestety", "numerze", "do", "na", "w", "z", "i", "lub", "dla", "nie", "być", "zobaczyć", "wyświetlić", "jeszcze"],
  },
  // What else stands in a refusal, and changes nothing there.
  besides: {
    en: ["oops", "http", "server", "site", "website", "portal", "service", "application", "resource", "record", "item", "access", "sorry", "unfortunately", "currently", "temporarily", "right now", "now", "again", "later", "try", "because", "due", "admin", "administrator", "contact", "you're", "you are", "or", "may", "it", "support", "end", "our", "isn't", "error", "status", "code"],
    de: ["seite", "server", "portal", "dienst", "zugriff", "derzeit", "momentan", "gerade", "bitte", "erneut", "versuchen", "später", "ups", "hoppla", "anwendung", "anzuzeigen", "einzusehen", "aufzurufen", "fehler", "wenden"],
    fr: ["serveur", "site", "portail", "service", "accès", "actuellement", "oups", "veuillez", "réessayer", "désolés", "ressource", "application", "êtes", "à", "voir", "consulter", "erreur"],
    es: ["servidor", "sitio", "portal", "servicio", "acceso", "actualmente", "vaya", "recurso", "inténtelo", "nuevo", "aplicación", "error", "consultar", "usted"],
    it: ["server", "sito", "portale", "servizio", "accesso", "attualmente", "ops", "risorsa", "riprova", "riprovare", "applicazione", "errore", "visualizzare", "consultare"],
    pt: ["servidor", "site", "portal", "serviço", "acesso", "atualmente", "ops", "recurso", "tente", "novamente", "aplicação", "erro", "visualizar", "consultar"],
    nl: ["server", "site", "portaal", "dienst", "toegang", "momenteel", "oeps", "opnieuw", "applicatie", "probeer", "fout", "weergeven", "zien"],
    pl: ["serwer", "strona", "portal", "usługa", "dostęp", "obecnie", "ups", "ponownie", "spróbuj", "zasób", "aplikacja", "błąd", "tego", "obejrzeć"],
  },
  // What says that something could not be had, where documents should be.
  failed: {
    en: ["could not be loaded", "couldn't be loaded", "could not load", "couldn't load", "cannot be loaded", "can't be loaded", "failed to load", "loading failed", "failed loading", "unable to load", "unable to retrieve", "could not be retrieved", "failed to fetch", "failed to retrieve", "error loading", "error while loading", "an error occurred", "an error has occurred", "something went wrong", "temporarily unavailable", "could not be displayed", "could not be fetched", "cannot be displayed", "cannot load", "can't load", "unable to fetch", "could not fetch", "couldn't fetch"],
    de: ["konnten nicht geladen werden", "konnte nicht geladen werden", "können nicht geladen werden", "kann nicht geladen werden", "fehler beim laden", "laden fehlgeschlagen", "nicht abgerufen werden", "ein fehler ist aufgetreten"],
    fr: ["n'ont pas pu être chargés", "n'ont pas pu être chargées", "n'a pas pu être chargé", "n'a pas pu être chargée", "impossible de charger", "erreur de chargement", "erreur lors du chargement", "échec du chargement", "une erreur est survenue", "une erreur s'est produite"],
    es: ["no se pudieron cargar", "no se pudo cargar", "no se han podido cargar", "no se ha podido cargar", "error al cargar", "se ha producido un error", "ha ocurrido un error"],
    it: ["impossibile caricare", "non è stato possibile caricare", "errore durante il caricamento", "errore di caricamento", "caricamento non riuscito", "si è verificato un errore"],
    pt: ["não foi possível carregar", "erro ao carregar", "falha ao carregar", "ocorreu um erro"],
    nl: ["kon niet worden geladen", "konden niet worden geladen", "fout bij laden", "fout bij het laden", "laden mislukt", "er is een fout opgetreden"],
    pl: ["nie udało się załadować", "nie udało się wczytać", "nie można załadować", "błąd ładowania", "błąd podczas ładowania", "wystąpił błąd"],
  },
  // What says the same where the text names documents.
  unavailable: {
    en: ["currently not available", "not currently available", "currently unavailable", "not available at the moment", "not available right now", "unavailable at the moment", "could not get", "couldn't get", "cannot get", "unable to get", "cannot be shown", "could not be shown", "unable to display", "unable to show", "failed to get"],
    de: ["derzeit nicht verfügbar", "zurzeit nicht verfügbar", "zur zeit nicht verfügbar", "momentan nicht verfügbar", "im moment nicht verfügbar", "vorübergehend nicht verfügbar", "nicht angezeigt werden"],
    fr: ["actuellement indisponibles", "momentanément indisponibles", "temporairement indisponibles", "pas disponibles pour le moment", "n'avons pas pu"],
    es: ["no están disponibles en este momento", "actualmente no están disponibles", "temporalmente no disponibles", "no hemos podido", "no pudimos"],
    it: ["attualmente non disponibili", "momentaneamente non disponibili", "temporaneamente non disponibili", "non siamo riusciti"],
    pt: ["não estão disponíveis de momento", "temporariamente indisponíveis", "atualmente indisponíveis", "não conseguimos"],
    nl: ["momenteel niet beschikbaar", "tijdelijk niet beschikbaar", "op dit moment niet beschikbaar", "niet worden opgehaald", "niet worden getoond"],
    pl: ["obecnie niedostępne", "tymczasowo niedostępne", "chwilowo niedostępne", "nie udało się pobrać"],
  },
  // The heading of the place where documents are.
  documents: {
    en: ["documents", "attachments", "files", "downloads", "attached files"],
    de: ["dokumente", "anlagen", "anhänge", "dateien", "downloads"],
    fr: ["documents", "pièces jointes", "fichiers", "téléchargements"],
    es: ["documentos", "adjuntos", "archivos", "archivos adjuntos", "descargas"],
    it: ["documenti", "allegati", "file", "download"],
    pt: ["documentos", "anexos", "ficheiros", "arquivos", "transferências"],
    nl: ["documenten", "bijlagen", "bestanden", "downloads"],
    pl: ["dokumenty", "załączniki", "pliki", "pliki do pobrania"],
  },
})
