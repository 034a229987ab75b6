/** Die Wörter der Nachweise im Dashboard. */
import type * as English from '../en/vault.ts'

export const proofList: typeof English.proofList = {
  title: 'Nachweise',
  export: 'Exportieren',
  make: 'Nachweis erstellen',
  loading: 'Lade Ihre Nachweise',
  none: 'Keine Nachweise passen zu diesen Filtern',
  noneText: 'Ändern Sie die Filter, oder zeigen Sie alle Ihre Nachweise.',
  showAll: 'Alle Nachweise zeigen',
  label: 'Nachweise, die neuesten zuerst',
  total: (count, isOne, isActive) =>
    `${count} ${isActive ? (isOne ? 'aktiver ' : 'aktive ') : ''}${isOne ? 'Nachweis' : 'Nachweise'}`,
  foundSoFar: (count, moment) => `${count} gefunden seit ${moment}. Suche weiter …`,
  looking: 'Suche …',
  noneFound: 'Keine gefunden',
  newestFound: (count) => `Die neuesten ${count} Treffer. Scrollen Sie, um mehr zu sehen.`,
  found: (count) => `${count} gefunden`,
  firstTitle: 'Ihr erster Nachweis dauert eine Minute',
  first:
    'Ein Nachweis zeigt, wofür Ihre Wallet steht: für einen Text, ein Konto, eine Domain oder einen Token. Sie signieren ihn, und dieser Server prüft ihn. Dann können Sie ihn allen zeigen und an Gates verwenden.',
  makeFirst: 'Nachweis mit dieser Wallet erstellen',
  demo: 'Sie können alles auch mit einem Programm ausprobieren, mit einer Test-Wallet:',
  select: (title) => `${title} auswählen`,
}

export const proofStates: typeof English.proofStates = {
  status: {
    verified: 'Bestätigt',
    partially_verified: 'Teilweise bestätigt',
    imported: 'Importiert',
    expired: 'Abgelaufen',
    revoked: 'Widerrufen',
    replaced: 'Ersetzt',
    secret_sealed: 'Versiegelt',
  },
  claim: {
    holds: 'bestätigt',
    imported: 'importiert, nicht geprüft',
    expired: 'abgelaufen',
    revoked: 'widerrufen',
    fails: 'nicht bestätigt',
  },
}

export const proofFilters: typeof English.proofFilters = {
  search: 'Nachweise durchsuchen',
  placeholder: 'Suchen oder Kennung einfügen',
  labeled: 'Wallets mit diesem Namen',
  ofWallet: (label, address) => ['Nachweise von ', label, ` (${address}) zeigen`],
  naming: (label, address) => ['Nach ', label, ` (${address}) suchen`],
  kind: 'Art',
  anyKind: 'Alle Arten',
  status: 'Status',
  anyStatus: 'Jeder Status',
  privacy: 'Wer darf ihn sehen?',
  anyPrivacy: 'Wer darf ihn sehen: alle',
  public: 'Mit Link oder öffentlich',
  wallet: 'Wallet',
  anyWallet: 'Alle Wallets',
  tag: 'Schlagwort',
  anyTag: 'Alle Schlagwörter',
  history: 'Auch abgelaufene und widerrufene zeigen',
  clear: 'Filter löschen',
}

export const proofDetail: typeof English.proofDetail = {
  proof: 'Nachweis',
  loading: 'Lade den Nachweis',
  elsewhere:
    'Sie haben keinen Nachweis mit dieser Kennung. Vielleicht gehört er jemand anderem, ist gelöscht oder liegt auf einem anderen Server.',
  open: 'Seite dieses Nachweises öffnen',
  showTag: 'Alle Nachweise mit diesem Schlagwort zeigen',
  copyLink: 'Link kopieren',
  details: 'Einzelheiten',
  made: 'Erstellt',
  expires: 'Läuft ab',
  wallet: 'Wallet',
  about: 'Über die Wallet',
  id: 'Kennung',
  did: 'DID der Wallet',
  more: 'Und mehr',
  moreFacts: (count) => (count === 1 ? '1 weiterer Wert' : `${count} weitere Werte`),
  reorganised:
    'Die Chain hat den Block ersetzt, aus dem dieser Nachweis stammt. Die Aussage stimmt nicht mehr, darum zählt der Nachweis nicht.',
  revoked: (age) => ['Sie haben diesen Nachweis ', ...(age ? [age, ' '] : []), 'widerrufen. Er zählt nicht mehr.'],
  expired: (age) => ['Dieser Nachweis ist ', ...(age ? [age, ' '] : []), 'abgelaufen. Er zählt nicht mehr.'],
  replaced:
    'Ein neuerer Nachweis derselben Aussage hat diesen ersetzt. Sie können ihn mit seiner Kennung weiterhin öffnen.',
  partly: 'Einige Aussagen stimmten, als dieser Nachweis erstellt wurde, andere nicht.',
  imported:
    'Dieser Nachweis kommt von einem anderen Server. Hier wurde nichts davon geprüft, darum zählt er bei keinem Gate.',
  notFinal:
    'Dieser Server hat den Nachweis beim Erstellen geprüft. Sein Block ist noch nicht endgültig, darum beobachtet ihn der Server.',
  held: 'Dieser Server hat den Nachweis beim Erstellen geprüft.',
  content: 'Inhalt',
  noContent: 'Dieser Nachweis hat keinen Inhalt außer den Angaben oben.',
  showContent: 'Inhalt zeigen',
  copyContent: 'Inhalt kopieren',
  hideContent: 'Inhalt verbergen',
}

export const proofCopy: typeof English.proofCopy = {
  title: 'Selbst prüfen',
  portable:
    'Der tragbare Nachweis ist eine Datei. Jeder kann sie ohne diesen Server prüfen. Sie enthält alles, was Sie signiert haben. Geben Sie sie darum mit Bedacht weiter.',
  download: 'Tragbaren Nachweis herunterladen',
  copy: 'Tragbaren Nachweis kopieren',
  unsigned:
    'Keine Wallet hat diesen Nachweis signiert, darum zählt er nur auf diesem Server. Für einen tragbaren Nachweis erstellen Sie ihn noch einmal und signieren ihn.',
  notKept: (command) => [
    'Dieser Server bewahrt keine tragbare Kopie dieses Nachweises auf. Sie haben sie beim Erstellen einmal bekommen. Wer diese Datei hat, prüft sie mit ',
    command,
    '.',
  ],
}

export const proofSharing: typeof English.proofSharing = {
  title: 'Geteilt mit',
  loading: 'Sehe nach, wer ihn lesen kann',
  nobody: 'Sie teilen ihn mit keiner anderen Wallet.',
  since: (begin, end) => ['seit: ', begin, ...(end ? [', endet: ', end] : [', bis Sie das Teilen beenden'])],
  stop: 'Teilen beenden',
  stopWith: (wallet) => `Teilen mit ${wallet} beenden`,
  newest: 'Hier stehen nur die neuesten.',
  link: 'Schicken Sie diesen Link. Er öffnet den Nachweis nach dem Anmelden mit einer Wallet dieser Liste.',
  copyLink: 'Link kopieren',
  shared: (wallet) => ['Sie teilen den Nachweis mit ', wallet, '. Schicken Sie der Person nun den Link.'],
  stopped: 'Nicht mehr geteilt.',
  noAddress: 'Geben Sie die Adresse einer Wallet ein.',
  wrongAddress:
    'Das ist keine Adresse einer Wallet. Geben Sie eine Adresse ein, die mit 0x beginnt, oder eine von Solana. Nennen Sie bei einer Contract-Wallet zuerst die Chain, etwa eip155:8453:0x…. Namen wie name.eth gehen nicht.',
  wallet: 'Mit einer Wallet teilen',
  until: 'Dauer',
  forever: 'Bis Sie das Teilen beenden',
  share: 'Nachweis teilen',
  hint: (hasText) =>
    `Wem die Wallet gehört, der kann alles lesen, was Sie hier sehen${hasText ? ', auch den Inhalt' : ''}. Sie können das Teilen jederzeit beenden. Was jemand schon gelesen oder kopiert hat, lässt sich nicht zurückholen.`,
  noText: 'Dieser Nachweis bewahrt keinen Text auf. Wer ihn liest, sieht nur den Fingerabdruck.',
}

export const sharedWithMe: typeof English.sharedWithMe = {
  title: 'Mit mir geteilt',
  lead: 'Private Nachweise, die andere für Ihre Wallets freigegeben haben.',
  loading: 'Suche geteilte Nachweise',
  none: 'Niemand teilt einen Nachweis mit Ihnen',
  noneText: 'Damit hier ein Nachweis steht, geben Sie dem Inhaber die Adresse Ihrer Wallet:',
  by: (wallet) => ['von ', wallet],
  since: (begin, end) => ['seit ', begin, ...(end ? [', endet ', end] : [])],
  with: (wallet) => ['mit Ihrer Wallet ', wallet],
  more: 'Mehr zeigen',
  leave: 'Zugriff aufgeben',
  leaveOne: (title) => `Zugriff auf ${title} aufgeben`,
  leaveTitle: 'Zugriff auf diesen Nachweis aufgeben?',
  leaveYes: 'Zugriff aufgeben',
  leaveEffect: 'Sie können ihn nicht mehr lesen. Der Inhaber kann ihn wieder mit Ihnen teilen.',
  left: 'Sie haben den Zugriff aufgegeben.',
}

export const shareLinks: typeof English.shareLinks = {
  title: 'Links',
  hint: (hasText) =>
    `Alle mit dem Link können den Nachweis${hasText ? ' und seinen Inhalt' : ''} lesen, bis der Link endet. Sie brauchen keine Wallet. Eine tragbare Kopie bekommen sie nicht.`,
  loading: 'Suche die Links',
  nameless: 'Link ohne Namen',
  lasts: (begin, end) => ['Erstellt ', begin, ', endet ', end, '.'],
  opened: (count, last) =>
    last === undefined
      ? ['Noch nicht geöffnet.']
      : [`${count === 1 ? 'Einmal' : `${count}-mal`} geöffnet, zuletzt `, last, '.'],
  end: 'Link beenden',
  endOne: (name) => `Link beenden: ${name}`,
  ended: 'Der Link ist beendet.',
  made: (end) => [
    'Alle mit diesem Link können den Nachweis lesen. Er endet ',
    end,
    '. Kopieren Sie ihn jetzt, denn er wird nur einmal gezeigt.',
  ],
  copy: 'Link kopieren',
  label: 'Name des Links',
  howLong: 'Gültig für',
  chosenDay: 'Bis zu einem Tag …',
  lastDay: 'Letzter Tag',
  noDay: 'Wählen Sie heute oder einen späteren Tag.',
  make: 'Link erstellen',
}

export const proofVisibility: typeof English.proofVisibility = {
  change: 'Sichtbarkeit ändern',
  title: 'Sichtbarkeit dieses Nachweises ändern',
  now: 'jetzt',
  same: 'Wählen Sie eine andere Sichtbarkeit. Dann sehen Sie, was sich ändert.',
  effects: 'Was sich ändert',
  effect: {
    leavesList: 'Er verlässt die öffentliche Liste Ihrer Wallet.',
    content: 'Alle können auch seinen Inhalt lesen.',
    shown:
      'Was andere von da an lesen oder kopieren, lässt sich nicht zurückholen, auch wenn Sie ihn wieder privat machen.',
    copies:
      'Was andere gelesen, gespeichert oder kopiert haben, können Sie nicht zurückholen. Caches und Suchmaschinen behalten es vielleicht noch eine Weile.',
    ipfs: 'Seine Kopie auf IPFS bleibt öffentlich.',
    chain: 'Sein Eintrag auf einer Chain bleibt öffentlich.',
    gates: 'Prüfungen anderer finden ihn nicht mehr. An Gates können Sie ihn weiter benutzen.',
  },
  sign: 'Änderung signieren',
  does: {
    private: 'Signieren und privat machen',
    unlisted: 'Signieren und mit Link zeigen',
    listed: 'Signieren und öffentlich machen',
  },
  signWhy:
    'Das kann nur die Wallet des Nachweises ändern. Sie zeigt einen Text zum Signieren. Es wird nichts gesendet, und es kostet nichts.',
  changed: (word) => `Geändert: ${word}.`,
}

export const proofRevoking: typeof English.proofRevoking = {
  revoke: 'Diesen Nachweis widerrufen',
  title: 'Diesen Nachweis widerrufen?',
  yes: 'Nachweis widerrufen',
  effects: [
    'Der Nachweis zählt nicht mehr, an keinem Gate und bei keiner Prüfung.',
    'Die Wallets, mit denen Sie ihn geteilt haben, können ihn nicht mehr lesen. Seine Kennung bleibt bekannt, als widerrufen.',
    'Das lässt sich nicht rückgängig machen. Sie können dieselbe Aussage neu nachweisen.',
    'Tragbare Kopien zeigen weiterhin, dass Sie signiert haben. Dieser Server sagt allen, die fragen, dass der Nachweis widerrufen ist.',
  ],
}

export const selection: typeof English.selection = {
  label: 'Ausgewählte Nachweise',
  count: (count) => (count === 1 ? '1 Nachweis' : `${count} Nachweise`),
  selected: (count) => `${count === 1 ? '1 Nachweis' : `${count} Nachweise`} ausgewählt`,
  export: 'Exportieren',
  revoke: 'Widerrufen',
  all: (count) => `Alle ${count} geladenen auswählen`,
  none: 'Auswahl aufheben',
  title: (count) => (count === 1 ? '1 Nachweis widerrufen?' : `${count} Nachweise widerrufen?`),
  progress: (done, all) => `${done} von ${all} widerrufen. `,
  wait: (seconds) => `Der Server bittet, ${seconds} Sekunden zu warten. Danach geht es von selbst weiter.`,
  revoked: 'Widerrufen',
  stop: 'Anhalten',
  yes: (count) => (count === 1 ? '1 Nachweis widerrufen' : `${count} Nachweise widerrufen`),
  done: (count) => (count === 1 ? '1 Nachweis ist widerrufen.' : `${count} Nachweise sind widerrufen.`),
}

export const proofExport: typeof English.proofExport = {
  all: 'Alle Nachweise exportieren',
  list: 'Nachweise dieser Liste exportieren',
  chosen: (count) =>
    count === 1 ? '1 ausgewählten Nachweis exportieren' : `${count} ausgewählte Nachweise exportieren`,
  form: 'Format',
  portable: 'Tragbare Nachweise',
  portableHint:
    'Jede Zeile hat die Wallet, den signierten Text und die Signatur. Jeder kann sie ohne diesen Server prüfen. Enthalten sind nur Nachweise mit tragbarer Kopie.',
  records: 'Datensätze',
  recordsHint:
    'Jede Zeile hat, was dieser Server über einen Nachweis weiß, wie in seiner API, mit seinen Links und Ihren Namen für Wallets. Enthalten sind alle Nachweise.',
  progress: (looked, count) => `${looked} geprüft, ${count} in der Datei …`,
  wait: (seconds) => ` Der Server bittet, ${seconds} Sekunden zu warten. Danach geht es von selbst weiter.`,
  stop: 'Anhalten',
  start: 'Nachweise exportieren',
  again: 'Noch einmal exportieren',
  nothing: 'Es gibt nichts zu exportieren.',
  saved: (count, file) => `${count} gespeichert in ${file}.`,
  stopped: ' Sie haben den Export angehalten, darum fehlen einige.',
  without: (count, isOne) =>
    ` Von ${isOne ? 'einem Nachweis' : `${count} Nachweisen`} bewahrt dieser Server keine tragbare Kopie auf. Sie haben sie beim Erstellen bekommen.`,
}

export const proofErasing: typeof English.proofErasing = {
  more: 'Mehr',
  erase: 'Alles löschen …',
  title: 'Alles dieser Wallet löschen?',
  yes: 'Alles löschen',
  wallet: 'Wallet:',
  effects: [
    'Dieser Server löscht jeden Nachweis der Wallet, mit seinen Angaben, seinem Inhalt und seinen Freigaben.',
    'Was von diesen Nachweisen abhängt, endet: passierte Gates, verknüpfte Wallets und Agenten.',
    'Das lässt sich nicht rückgängig machen, und niemand kann es wiederherstellen. Exportieren Sie zuerst, was Sie behalten möchten.',
    'Tragbare Dateien bleiben bei denen, die sie haben. Kopien auf Chains und auf IPFS bleiben auch.',
  ],
  word: 'löschen',
  typeWord: (word) => `Tippen Sie „${word}“, um fortzufahren`,
  erasing: (left) =>
    `Das Löschen hat begonnen. Niemand kann Ihre Nachweise mehr finden. Der Server löscht noch ${left} davon.`,
  erased: (count) => (count === 1 ? '1 Nachweis ist gelöscht.' : `${count} Nachweise sind gelöscht.`),
  traces: ' In den Dateien der Datenbank kann noch Text stehen. Der Server bereinigt sie, sobald er kann.',
}
