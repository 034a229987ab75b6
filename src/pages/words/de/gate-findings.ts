/** Ein Satz zu jedem Befund über ein Gate. Er steht unter seinem Feld oder hinter dessen Namen. */
import type * as English from '../en/gate-findings.ts'

/** Nach dem Namen des Wertes. */
const forms: Readonly<Record<string, string>> = {
  gateId: 'Erlaubt sind 1 bis 80 Buchstaben, Ziffern und : _ -',
  id: 'Erlaubt sind 1 bis 32 Buchstaben, Ziffern und _ -',
  path: 'Schreiben Sie Namen mit Punkten dazwischen, etwa input.contractAddress.',
  startsAt: 'Geben Sie Tag und Uhrzeit ein.',
  endsAt: 'Geben Sie Tag und Uhrzeit ein.',
  amountUsd: 'Geben Sie einen Betrag wie 4.99 ein.',
  recipient: 'Geben Sie eine Adresse aus 0x und 40 Zeichen ein.',
}

const entries = (count: number): string => (count === 1 ? '1 Eintrag' : `${count} Einträge`)
/** Nach dem Ende des Pfades: was einer Liste oder einer Auswahl fehlt. */
const lacking: Readonly<Record<string, string>> = {
  requirements: 'Fügen Sie mindestens eine Bedingung hinzu.',
  verifierId: 'Wählen Sie, was verlangt wird.',
  any: 'Fügen Sie der Gruppe mindestens eine Bedingung hinzu.',
  all: 'Fügen Sie der Gruppe mindestens eine Bedingung hinzu.',
  methods: 'Wählen Sie mindestens eine Zahlungsart.',
  gates: 'Die Datei braucht mindestens ein Gate.',
}
const fill = 'Bitte ausfüllen.'

export const gateFindings: typeof English.gateFindings = {
  sentences: {
    MISSING: () => fill,
    UNKNOWN_MEMBER: ({ meant }) =>
      meant === undefined
        ? 'Dieses Feld gibt es nicht. Entfernen Sie es.'
        : `Dieses Feld gibt es nicht. Meinten Sie ${meant}?`,
    EMPTY: () => fill,
    TOO_LONG: ({ most }) => `Höchstens ${most} Zeichen sind möglich.`,
    TOO_FEW: ({ least }) =>
      least === 1 ? 'Fügen Sie mindestens eines hinzu.' : `Fügen Sie mindestens ${least} hinzu.`,
    TOO_MANY: ({ most }) => `Höchstens ${entries(most)} sind möglich.`,
    REPEATED: () => 'Ein Eintrag steht doppelt da. Entfernen Sie einen.',
    NOT_ONE_OF: ({ choices }) => `Möglich sind diese Wörter: ${choices}.`,
    NOT_TEXT: () => 'Geben Sie einen Text ein.',
    NOT_BOOLEAN: () => 'Möglich sind true und false.',
    NOT_OBJECT: () => 'Die Felder stehen in { und }.',
    NOT_LIST: () => 'Die Einträge stehen in [ und ].',
    NOT_WHOLE_NUMBER: ({ least, most, found }) =>
      found === undefined
        ? `Geben Sie eine ganze Zahl von ${least} bis ${most} ein.`
        : 'Geben Sie eine ganze Zahl ein, etwa 10.',
    NOT_OF_FORM: ({ member }) => forms[member] ?? 'Dieser Text hat nicht die richtige Form.',
    OTHER_SHAPE: () => 'Dieser Wert kann hier nicht stehen.',

    RULE_NODE: () => 'Nennen Sie eine Bedingung, oder schreiben Sie eine Gruppe mit „all“ oder „any“.',
    RULE_TOO_DEEP: ({ most }) => `Höchstens ${most} Gruppen können ineinander stehen.`,
    RULE_TOO_LARGE: ({ most }) => `Die Gruppen können höchstens ${most} Teile haben.`,
    RULE_UNKNOWN_ID: ({ ids }) => `Eine Gruppe nennt eine Bedingung, die es nicht gibt. Möglich sind ${ids}.`,

    RESERVED_ID: () => 'Diese Kennung ist vergeben. Wählen Sie eine andere.',
    ID_TAKEN: () => 'Diese Kennung hat schon jemand anderes. Wählen Sie eine andere.',
    NOT_PUBLISHABLE: () =>
      'Das Gate hat sich geändert oder hat keinen Platz für eine weitere Version. Laden Sie die Seite neu.',
    CONTROL_CHARACTER: ({ character, position, isBreak }) =>
      isBreak
        ? `Entfernen Sie den Zeilenumbruch an Stelle ${position}.`
        : `Entfernen Sie das unsichtbare Zeichen an Stelle ${position} (${character}).`,
    ONLY_SPACES: () => 'Schreiben Sie einen Text mit einem Buchstaben, einer Ziffer oder einem Symbol.',
    HALF_CHARACTER: () => 'Ein Zeichen ist kaputt. Tippen Sie den Text neu.',
    REPEATED_ID: () => 'Eine andere Bedingung hat diese Kennung. Wählen Sie eine andere.',
    CONDITION_EMPTY: () => 'Füllen Sie das aus, oder entfernen Sie die Bedingung.',
    CONDITION_NOT_NUMBER: () => 'Geben Sie eine Zahl wie 80 oder 0.5 ein.',
    ALL_OPTIONAL: () => 'Keine Bedingung ist nötig. Also genügt eine beliebige.',
    GUEST_LIST_MEMBER: () => 'Eine Gästeliste verlangt keinen Nachweis. Lassen Sie das leer.',
    SECOND_GUEST_LIST: () => 'Ein Gate hat eine Gästeliste. Entfernen Sie diese.',
    NOT_IN_RULE: () => 'Diese Bedingung ist in keiner Gruppe. Fügen Sie sie hinzu, oder machen Sie sie unnötig.',
    NO_SUCH_MOMENT: () => 'Diesen Tag oder diese Uhrzeit gibt es nicht.',
    ENDS_BEFORE_START: () => 'Das Ende muss nach dem Anfang liegen.',
    ENDED: () => 'Diese Zeit ist vorbei. Niemand kommt mehr hinein.',
    LIMIT_ABOVE_SUPPLY: () => 'Das ist mehr als das Limit insgesamt.',
    PRICE_ZERO: () => 'Geben Sie mehr als 0 ein, oder entfernen Sie den Preis.',
    VALUE_NOT_WANTED: () => 'Der Zugang allein gibt nichts aus. Lassen Sie das leer.',
    VALUE_MISSING: () => fill,
    LISTING_NOT_PUBLIC: () => 'Nur ein Gate, das alle sehen, kann aufgelistet werden.',
    ADDRESS_NOT_WHOLE: () => 'Geben Sie die ganze Adresse ein, etwa https://example.com/welcome.',
    ADDRESS_WITH_USER: () => 'Entfernen Sie Benutzernamen und Passwort aus der Adresse.',
    ADDRESS_NOT_HTTPS: () => 'Die Adresse muss mit https:// beginnen.',
    ADDRESS_MISSPELLED: () =>
      'Die Adresse hat ein Leerzeichen, einen Rückstrich oder einen falschen Host. Berichtigen Sie sie.',

    DEFINITION_TOO_LARGE: () => 'Das Gate ist zu groß. Kürzen Sie seine Texte.',
    TOO_MANY_CONDITIONS: ({ count, most }) =>
      `Es hat ${count} Bedingungen. Höchstens ${most} sind möglich. Machen Sie zwei Gates daraus.`,
    CONDITIONS_TOO_LARGE: () => 'Die Bedingungen sind zu lang. Kürzen Sie ihre Werte.',
    TOO_MANY_PROOFS: ({ count, most }) => `Es verlangt ${count} Nachweise. Höchstens ${most} sind möglich.`,
    TOO_MANY_RECHECKS: ({ count, most }) =>
      `${count} Nachweise würden noch einmal geprüft. Höchstens ${most} sind möglich.`,

    NO_CHAIN_STATE: () => 'Das geht nur bei Nachweisen, die von einer Chain gelesen werden. Entfernen Sie es.',
    SUBJECT_PATH: () => 'Mit diesem Feld wird nichts verglichen. Nehmen Sie das Feld subjectWallet.',
    NO_SUBJECT: () => 'Dieser Nachweis gilt immer der Wallet, die signiert hat. Entfernen Sie die Bedingung.',
    NOT_ACCOUNT: () => 'Geben Sie eine Wallet-Adresse oder ein Konto wie eip155:8453:0x… ein.',
    CHAIN_NOT_COMPARED: () => 'Hier wird nur die Adresse verglichen. Geben Sie sie ohne Chain ein.',

    UNKNOWN_VERIFIER: ({ meant }) =>
      meant === undefined
        ? 'Diesen Nachweis kennt der Server nicht. Wählen Sie einen anderen.'
        : `Unbekannt. Meinten Sie ${meant}?`,
    VERIFIER_NOT_OFFERED: () => 'Dieser Server stellt ihn zurzeit nicht neu aus. Frühere Nachweise zählen.',
    METHOD_NOT_SET_UP: ({ method }) =>
      `Dieser Server nimmt ${method} zurzeit nicht an. Wählen Sie eine andere Zahlungsart, oder fragen Sie den Betreiber.`,
    METHOD_PRICE: ({ method }) => `${method} passt nicht zu diesem Preis. Prüfen Sie Betrag und Empfänger.`,

    KEPT_VALUE_FORM: () => 'Der Ort des früheren Wertes ist falsch. Tippen Sie den Wert neu.',
    KEPT_VALUE_SEALED: () => 'Der frühere Wert lässt sich nicht mehr öffnen. Tippen Sie ihn neu.',
    KEPT_VALUE_GONE: () => 'Es gibt keinen früheren Wert. Tippen Sie den Wert.',
    KEPT_VALUE_OTHER_KIND: () => 'Der frühere Wert ist von anderer Art. Tippen Sie den Wert.',
    KEPT_VALUE_TWICE: () => 'Es gibt einen neuen und einen früheren Wert. Behalten Sie einen.',

    REPEATED_GATE_ID: () => 'Ein früheres Gate der Datei hat diese Kennung. Wählen Sie eine andere.',
    BECAUSE_WITHOUT_FAIL: () => 'Ein Grund gehört nur zu einem Beispiel, das scheitern soll.',
    EXAMPLE_PROOF: () => 'Geben Sie einen Verifier mit seinen Daten an, oder die Zeilen mehrerer Verifier.',
    SEVERAL_VALUES: () => 'Der Wert ist auf mehrere Arten angegeben. Behalten Sie eine.',
    VALUE_UNREADABLE: () =>
      'Der Wert liegt neben der Datei, wo diese Seite ihn nicht liest. Schreiben Sie ihn in die Datei.',
    UNREADABLE_TEXT: () => 'Dieser Text ist nicht lesbar. Prüfen Sie Anführungszeichen, Klammern und Kommas.',
  },
  lacking,
  lines: {
    NO_WALLET: 'enthält keine Wallet.',
    TOO_LONG: 'ist zu lang für eine Wallet.',
    SHORT_NAME: 'ist keine Wallet-Adresse. Eine Adresse beginnt mit 0x.',
    NEAR_NAME:
      'ist kein Konto bei NEAR. Dessen Name hat 2 bis 64 kleine Buchstaben und Ziffern, mit einzelnen . _ oder - dazwischen.',
    NOT_A_WALLET: 'ist keine Wallet-Adresse. Kopieren Sie sie ganz, mit den großen Buchstaben.',
    WRONG_CHECKSUM: 'enthält ein falsches Zeichen. Vergleichen Sie die Adresse mit ihrer Quelle.',
  },
}
