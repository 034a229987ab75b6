/** Die deutschen Wörter von ownership-pseudonym. */

import type { PageWords } from '../../words.ts'
import { readPseudonymSettings } from '../term.ts'
import type * as English from './en.ts'

export const words: PageWords = {
  title: 'Pseudonym',
  lead: 'Wählen Sie einen Namen, den hier sonst niemand haben kann.',
  says: 'Diese Wallet hat diesen Namen, und keine andere hat ihn hier.',
  doesNotSay: 'Der Name ist nur auf diesem Server einmalig. Anderswo kann ihn jemand anderes verwenden.',
  statement: ['ist {handle} in {namespace}'],
  extendLead(settings) {
    const { ttlDays: days } = readPseudonymSettings(settings)
    return days > 0
      ? ` Er gehört Ihnen ${days === 1 ? 'einen Tag' : `${days} Tage`} lang. Danach können ihn andere nehmen.`
      : ''
  },
  summary: ['{handle} in {namespace}'],
  fields: [{ label: 'Pseudonym', path: 'handle', op: 'eq', hint: 'Leer: jedes Pseudonym.' }],
  names: {
    handle: 'Pseudonym',
    pseudonymId: 'Kennung des Pseudonyms',
    namespace: 'Wo es gilt',
    displayName: 'Anzeigename',
  },
}

export const form: typeof English.form = {
  name: 'Name',
  mustBe: 'muss 3 bis 32 Zeichen aus a-z 0-9 . _ - haben und mit Buchstabe oder Ziffer beginnen und enden',
  nameHint: '3 bis 32 Zeichen aus a-z 0-9 . _ -',
  displayName: 'Anzeigename',
}
