/** Die deutschen Wörter von ai-content-moderation. */
import type { PageWords } from '../../words.ts'
import type * as English from './en.ts'

export const words: PageWords = {
  title: 'Inhaltsprüfung',
  lead: 'Lassen Sie einen Text oder ein Bild auf schädliche Inhalte prüfen.',
  says: 'Diese Wallet hat diesen Inhalt prüfen lassen, und nichts Schädliches wurde gefunden.',
  lacks: {
    what: 'Dazu braucht er einen Dienst, der Inhalte beurteilt.',
    remedy: 'Setzen Sie moderation.text_providers oder moderation.image_providers.',
  },
  statement: ['hat den Inhalt {~contentHash} als harmlos prüfen lassen'],
  summary: ['Inhalt {~contentHash}'],
  fields: [
    {
      label: 'Geprüft von',
      path: 'provider',
      op: 'eq',
      hint: 'Zum Beispiel openai. Leer: jeder Anbieter dieses Servers.',
    },
  ],
  names: {
    model: 'Modell',
    safe: 'Harmlos',
    categories: 'Funde je Art',
    scores: 'Bewertungen',
    chosenByCaller: 'Anbieter vom Ersteller gewählt',
  },
}

export const form: typeof English.form = {
  submit: 'Jetzt prüfen',
  text: 'Text',
  image: 'Oder ein Bild',
  imageHint: 'JPEG, PNG, WebP oder GIF, höchstens 300 kB.',
  both: 'Geben Sie einen Text ein oder wählen Sie ein Bild, nicht beides.',
  nothing: 'Geben Sie einen Text ein oder wählen Sie ein Bild.',
  tooLarge: 'Das Bild ist größer als 300 kB.',
  wrongType: 'Das Bild muss JPEG, PNG, WebP oder GIF sein.',
}
