/** Die deutschen Wörter von token-holding. */
import { chainField, defineContractField } from '../../assets/fields.ts'
import type { PageWords } from '../../words.ts'
import type * as English from './en.ts'

export const words: PageWords = {
  title: 'Token-Guthaben',
  lead: 'Zeigen Sie, dass Ihre Wallet mindestens so viel eines Tokens hält.',
  says: 'Diese Wallet hat mindestens so viel von diesem Token gehalten, als der Nachweis entstand.',
  lacks: {
    what: 'Dazu braucht er eine Verbindung zu einer Blockchain.',
    remedy: 'Fügen Sie einen Abschnitt [chains.<name>] mit chain und rpc hinzu.',
  },
  statement: ['hält mindestens {input.minBalance} von {~input.contractAddress}'],
  summary: ['Mindestens {input.minBalance} von {~input.contractAddress}'],
  fields: [
    defineContractField('Contract des Tokens', 'Leer: jeder Token. Das ist selten gewollt.'),
    chainField,
    {
      label: 'Mindestens',
      path: 'input.minBalance',
      op: 'gte',
      kind: 'number',
      hint: 'Ganze Token, zum Beispiel 1.5.',
    },
  ],
  names: {
    minBalance: 'Mindestens',
    requiredMinBalance: 'Mindestens',
    requiredMinBalanceBaseUnits: 'Mindestens, in kleinsten Einheiten',
    decimals: 'Nachkommastellen',
  },
}

export const form: typeof English.form = {
  submit: 'Jetzt prüfen',
  minBalance: 'Mindestens',
  mustBe: 'muss eine Zahl wie 10 oder 0.5 sein',
  minBalanceHint: 'In ganzen Token, zum Beispiel 10 oder 0.5. Ihr Guthaben selbst wird nicht gezeigt.',
}
