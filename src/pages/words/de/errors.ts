/** Die Wörter über Fehler: Absagen des Servers, Fehler von Wallets und Prüfungen ohne Nachweis. */
import type * as English from '../en/errors.ts'

const again = 'Versuchen Sie es gleich noch einmal.'
const fault = `Auf diesem Server ist etwas schiefgegangen. ${again}`
const outdated = 'Diese Seite ist veraltet. Laden Sie sie neu und versuchen Sie es noch einmal.'
const combination = 'Diese Prüfungen passen nicht zusammen. Erstellen Sie die Nachweise nacheinander.'

export const refusals: typeof English.refusals = {
  VALIDATION_ERROR: 'Eine Eingabe ist nicht gültig. Prüfen Sie sie und versuchen Sie es noch einmal.',
  INVALID_WALLET_ADDRESS:
    'Das ist keine Wallet-Adresse dieses Netzwerks. Prüfen Sie sie und versuchen Sie es noch einmal.',
  INVALID_VERIFIER_DATA: 'Etwas im Formular ist nicht gültig. Prüfen Sie jedes Feld und versuchen Sie es noch einmal.',
  INVALID_VERIFIER_COMBINATION: combination,
  INVALID_VERIFIER_FLOW_COMBINATION: combination,
  VERIFIER_NOT_FOUND: 'Dieser Server bietet diese Prüfung nicht an. Fragen Sie seinen Betreiber.',
  VERIFICATION_FAILED:
    'Ihre Eingaben passen nicht zu dem, was wir gefunden haben. Prüfen Sie jedes Feld und die Wallet.',
  PROOF_NOT_VERIFIED: 'Dieser Nachweis ist widerrufen oder abgelaufen. Erstellen Sie einen neuen.',
  GATE_REQUIREMENTS_NOT_MET: 'Ihre Nachweise erfüllen die Bedingungen dieses Gates nicht.',
  GATE_CHECK_INCOMPLETE:
    'Diese Wallet hat zu viele Nachweise, um sie auf einmal zu prüfen. Wenden Sie sich an den Inhaber des Gates.',
  GATE_MISCONFIGURED: 'Dieses Gate ist nicht richtig eingerichtet. Fragen Sie, wem es gehört.',
  GATE_PAUSED: 'Dieses Gate ist pausiert.',
  GATE_NOT_STARTED: 'Dieses Gate ist noch nicht offen.',
  GATE_ENDED: 'Dieses Gate ist geschlossen.',
  SIGNATURE_INVALID:
    'Die Signatur stammt nicht von dieser Wallet. Wählen Sie die Wallet noch einmal und signieren Sie neu.',
  EXPIRED_SIGNATURE: 'Der Text wurde zu spät signiert. Versuchen Sie es mit einem neuen.',
  WALLET_AUTH_REQUIRED: 'Ihre Sitzung ist abgelaufen. Es wurde nichts geändert. Melden Sie sich neu an.',
  PAYMENT_REQUIRED: 'Das hat einen Preis. Wir haben Ihre Zahlung noch nicht gefunden.',
  FORBIDDEN: 'Diese Wallet darf das nicht. Melden Sie sich mit der richtigen Wallet an.',
  NOT_FOUND: 'Das gibt es hier nicht, oder Sie dürfen es nicht sehen.',
  PROOF_NOT_FOUND: 'Diesen Nachweis gibt es hier nicht, oder Sie dürfen ihn nicht sehen.',
  GATE_NOT_FOUND: 'Dieses Gate gibt es hier nicht, oder Sie dürfen es nicht sehen.',
  METHOD_NOT_ALLOWED: outdated,
  CONFLICT: 'Das wurde schon geändert oder erledigt. Laden Sie die Seite neu, um den Stand zu sehen.',
  PAYMENT_ALREADY_USED: 'Diese Zahlung wurde schon verwendet. Jede Zahlung zählt einmal.',
  GATE_SOLD_OUT: 'Dieses Gate ist ausverkauft.',
  GATE_LIMIT_REACHED: 'Diese Wallet ist so oft durch dieses Gate gegangen, wie sie darf.',
  FULFILLMENT_SUSPENDED: 'Die Zahlung wurde zurückgenommen. Darum haben Sie jetzt keinen Zugang.',
  PAYLOAD_TOO_LARGE: 'Das ist zu lang für den Server. Kürzen Sie es und versuchen Sie es noch einmal.',
  UNSUPPORTED_MEDIA_TYPE: outdated,
  RATE_LIMIT_EXCEEDED: 'Zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es noch einmal.',
  HEADERS_TOO_LARGE: outdated,
  INTERNAL_ERROR: fault,
  SERVICE_UNAVAILABLE: fault,
  STORAGE_FULL: 'Der Speicher dieses Servers ist fast voll. Er speichert nichts Neues. Sagen Sie es seinem Betreiber.',
  VERIFIER_UNAVAILABLE: `Eine Quelle außerhalb dieses Servers hat nicht geantwortet. ${again}`,
}

export const errors: typeof English.errors = {
  fault,
  uncertain:
    'Wir wissen nicht, ob das gespeichert wurde. Laden Sie die Seite neu und sehen Sie nach, bevor Sie es noch einmal versuchen.',
  told: (message, sentence) => `${sentence} Der Server meldet auf Englisch: „${message}“`,
  request: (sentence, id) => `${sentence} Geschieht es wieder, sagen Sie dem Betreiber: Anfrage ${id}.`,
  noAnswer: 'Dieser Server hat nicht geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  noAnswerToChange:
    'Dieser Server hat nicht geantwortet. Vielleicht hat er Ihren Auftrag ausgeführt. Prüfen Sie Ihre Verbindung, laden Sie dann diese Seite neu und sehen Sie nach.',
  theWallet: 'Die Wallet',
  noAccount: (wallet) =>
    `${wallet} hat kein Konto gegeben. Entsperren Sie die Wallet, wählen Sie ein Konto für diese Website und versuchen Sie es noch einmal.`,
  wrongAnswer: (wallet, wanted) =>
    `In der Antwort von ${wallet} fehlt ${wanted}. Versuchen Sie es noch einmal, oder verwenden Sie eine andere Wallet.`,
  wanted: {
    signature: 'eine Signatur',
    sameText: 'eine Signatur des unveränderten Texts',
    chain: 'die Chain der Wallet',
    transaction: 'der Hash einer Transaktion',
    payChain: 'die Chain der Zahlung',
  },
  tooMany: (wait) => `Zu viele Anfragen. Versuchen Sie es in ${wait} noch einmal.`,
  usedText: 'Mit diesem Text haben Sie sich schon angemeldet. Versuchen Sie es mit einem neuen.',
  nameTaken: 'Diesen Namen hat hier schon eine andere Wallet. Wählen Sie einen anderen.',
  again: (sentence, wait) => `${sentence} Versuchen Sie es in ${wait} noch einmal.`,
  noChain:
    'Das ist eine Contract-Wallet, und dieser Server erreicht ihre Chain nicht. Verwenden Sie eine Wallet mit eigenem Schlüssel. Oder stellen Sie die Wallet auf eine andere Chain um und versuchen Sie es noch einmal. Auch der Betreiber dieses Servers kann die Chain hinzufügen.',
  unheld: {
    TOO_MANY_PLACES_OF_NETWORK:
      'Ihr Netz hält hier so viele unbezahlte Plätze, wie es darf. Die anderen Plätze sind für Käufer anderswo.',
    TOO_MANY_PLACES_OF_WALLET:
      'Diese Wallet hält an anderen Gates so viele unbezahlte Plätze, wie sie darf. Bezahlen Sie zuerst einen davon.',
    PLACE_ENDED_UNPAID:
      'Für diese Wallet war ein Platz frei gehalten und wurde nicht bezahlt. Eine Weile kommen andere zuerst.',
  },
  minute: 'einer Minute',
  seconds: (count) => `${count} Sekunden`,
  minutes: (count) => `${count} Minuten`,
  hours: (count) => `${count} Stunden`,
}

export const walletErrors: typeof English.walletErrors = {
  withoutEffect: { sign: 'Es wurde nichts signiert.', pay: 'Es wurde nichts bezahlt.' },
  declined: 'Sie haben in der Wallet abgelehnt.',
  silent: (wallet) =>
    `${wallet} nennt keinen Grund. Öffnen und entsperren Sie die Wallet und versuchen Sie es noch einmal.`,
  said: 'Meldung der Wallet',
  unreachable: (wallet) =>
    `${wallet} konnte das Netzwerk nicht erreichen. Sehen Sie in der Wallet nach, bevor Sie es noch einmal versuchen: vielleicht ist etwas geschehen.`,
  fewCoins: (wallet) => `${wallet} hat zu wenig Guthaben für die Netzwerkgebühr.`,
  fewTokens: (wallet) => `${wallet} hält zu wenig von dem Token.`,
  earlier: (wallet) =>
    `${wallet} wartet noch auf eine frühere Transaktion. Schließen Sie diese zuerst ab, oder brechen Sie sie ab.`,
  reverts: (wallet) => `${wallet} sagt, dass das Netzwerk diese Transaktion ablehnen würde.`,
  answered: (wallet, message) => `${wallet} hat geantwortet: ${message}`,
  failed: (wallet) => `${wallet} meldet einen Fehler.`,
  busy: (wallet) =>
    `${wallet} zeigt schon eine Anfrage. Öffnen Sie die Wallet, beantworten Sie diese und versuchen Sie es noch einmal.`,
  locked: (wallet) =>
    `${wallet} ist gesperrt oder erlaubt diese Website nicht. Entsperren Sie die Wallet, erlauben Sie diese Website und versuchen Sie es noch einmal.`,
  unable: {
    sign: (wallet) => `${wallet} kann keine Texte signieren. Verwenden Sie eine andere Wallet.`,
    pay: (wallet) => `${wallet} kann von dieser Seite aus nicht bezahlen. Verwenden Sie eine andere Wallet.`,
  },
  offline: (wallet) =>
    `${wallet} ist nicht mit dem Netzwerk verbunden. Verbinden Sie die Wallet und versuchen Sie es noch einmal.`,
  unknownChain: (wallet, chain) =>
    `${wallet} kennt das Netzwerk ${chain} nicht. Fügen Sie es dort hinzu und bezahlen Sie dann noch einmal.`,
  toAdd: 'Das ist hinzuzufügen',
  network: 'Netzwerk',
  chainId: 'Chain-Id',
  coin: 'Währung',
  explorer: 'Explorer',
}

export const sessionOver: typeof English.sessionOver = {
  over: 'Ihre Sitzung ist abgelaufen. Es wurde nichts geändert. Ihre Eingaben stehen noch hier.',
  signIn: 'Neu anmelden',
  back: 'Die Anmeldung öffnet sich in einem neuen Tab. Kommen Sie dann hierher zurück.',
  somebodyElse: (wallet) => `Jetzt ist eine andere Wallet angemeldet. Melden Sie sich mit ${wallet} an.`,
  here: 'Sie sind wieder angemeldet. Es ging nichts verloren. Drücken Sie die Taste noch einmal.',
}

export const outcome: typeof English.outcome = {
  unsure: 'Dieser Server hat nicht geantwortet. Wir wissen nicht, ob Ihr Nachweis erstellt wurde.',
  onceOnly: 'Sie können es noch einmal versuchen. Schlimmstenfalls haben Sie denselben Nachweis zweimal.',
  lookUpFailed: 'Eine Quelle außerhalb dieses Servers hat keine brauchbare Antwort gegeben.',
  soon: again,
  inSeconds: (count) => `Versuchen Sie es in ${count} Sekunden noch einmal.`,
  refused: 'Die Prüfung ist nicht bestanden.',
  noProof: 'Es wurde kein Nachweis erstellt.',
  checkAgain: 'Noch einmal prüfen',
  unreached: 'Wir konnten das nicht prüfen.',
  undecided: 'Es wurde nichts entschieden und nichts gespeichert.',
  tryAgain: 'Noch einmal versuchen',
}

const setRecord = 'Setzen Sie den Eintrag, wie ihn das Formular zeigt. Warten Sie einige Minuten und prüfen Sie neu.'
const otherWallet = 'Das Formular nennt eine andere Wallet als die, die den Nachweis erstellt.'

export const failureAdvice: typeof English.failureAdvice = {
  NO_SUCH_NAME: setRecord,
  NO_TXT_RECORD: setRecord,
  DNAME_IN_THE_WAY:
    'Setzen Sie den Eintrag unter dem Namen aus der Meldung. Warten Sie einige Minuten und prüfen Sie neu.',
  CNAME_IN_THE_WAY:
    'Entfernen Sie den CNAME und setzen Sie den Eintrag, wie ihn das Formular zeigt. Warten Sie einige Minuten und prüfen Sie neu.',
  WALLET_NOT_LISTED: 'Vergleichen Sie den Eintrag Zeichen für Zeichen mit dem im Formular.',
  NOT_TOKEN_OWNER: 'Liegt es in einer anderen Wallet von Ihnen? Verwenden Sie diese.',
  BALANCE_TOO_LOW: 'Halten Sie mehr in einer anderen Wallet? Verwenden Sie diese, oder verlangen Sie weniger.',
  LINK_SIGNATURE_EXPIRED: 'Signieren Sie noch einmal mit der zweiten Wallet.',
  WALLET_SANCTIONED: 'Das können Sie hier nicht ändern. Verwenden Sie eine andere Wallet.',
}

export const failureReasons: typeof English.failureReasons = {
  OWNER_MISMATCH: otherWallet,
  WALLET_MISMATCH: otherWallet,
  PRIMARY_MISMATCH: otherWallet,
  LINK_SIGNATURE_EXPIRED: 'Die zweite Wallet hat vor zu langer Zeit signiert.',
  CONTENT_HASH_MISMATCH: 'Der Text ist nicht der genannte.',
}

export const serverReturn: typeof English.serverReturn = {
  away: 'Dieser Server antwortet nicht. Diese Seite versucht es von selbst wieder …',
}
