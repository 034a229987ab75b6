/** Die deutschen Wörter von ownership-basic. */
import type { PageWords } from '../../words.ts'
import type * as English from './en.ts'

export const words: PageWords = {
  title: 'Inhalt beanspruchen',
  lead: 'Signieren Sie einen Text oder eine Datei als Ihren eigenen Inhalt. Der Nachweis zeigt, wer den Inhalt beansprucht hat und wann. Vielleicht hat ihn vorher schon jemand anderes beansprucht.',
  says: 'Diese Wallet hat diesen Inhalt zu dieser Zeit als ihren eigenen beansprucht.',
  doesNotSay:
    'Das zeigt, dass die Wallet den Inhalt zu dieser Zeit beansprucht hat. Andere können ihn vorher beansprucht haben.',
  statement: [
    'beansprucht „{reference.title}“',
    'beansprucht „{reference.name}“',
    'beansprucht {reference.id}',
    'beansprucht „{content}“',
    'beansprucht einen Inhalt mit dem Fingerabdruck {~contentHash}',
  ],
  summary: ['{reference.title}', '{reference.name}', '{reference.id}', 'Inhalt {~contentHash}'],
  fields: [
    { label: 'Wallet', path: 'owner', op: 'eq', kind: 'address', hint: 'Leer: jede Wallet.' },
    { label: 'Fingerabdruck (Hash) des Inhalts', path: 'contentHash', op: 'eq', hint: 'Leer: jeder Inhalt.' },
  ],
  names: {
    owner: 'Beansprucht von',
    provenance: 'Herkunft',
  },
}

export const form: typeof English.form = {
  submit: 'Aussage signieren',
  text: 'Text',
  textHint: 'Ein eigener Text. Oder lassen Sie das Feld leer und wählen Sie eine Datei oder eine Adresse.',
  file: 'Datei',
  fileHint: 'Beansprucht wird ihr Fingerabdruck (Hash). Die Datei bleibt auf diesem Gerät.',
  address: 'Webadresse',
  addressHint: 'Die Adresse von etwas, das schon öffentlich ist, etwa https://…',
  store: 'Text beim Nachweis aufbewahren',
  storeHint:
    'Alle, die den Nachweis sehen dürfen, können den Text dann lesen. Sonst wird nur sein Fingerabdruck (Hash) aufbewahrt.',
  nothing: 'Geben Sie einen Text oder eine Adresse ein, oder wählen Sie eine Datei.',
  both: 'Geben Sie einen Text ein oder wählen Sie eine Datei, nicht beides.',
  tooLarge: 'Die Datei ist größer als 200 MB.',
  wholeAddress: 'Geben Sie die ganze Webadresse ein: https://, den Host und den Rest.',
}
