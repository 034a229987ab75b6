/** Die deutschen Wörter der Formulare, die einen Contract auf einer Chain nennen. */
import type * as English from './en.ts'

export const form: typeof English.form = {
  chain: 'Chain',
  contract: 'Contract',
  contractMustBe: 'muss die Adresse eines Contracts sein',
}
