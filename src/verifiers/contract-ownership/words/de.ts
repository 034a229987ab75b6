/** Die deutschen Wörter von contract-ownership. */
import { chainField, defineContractField } from '../../assets/fields.ts'
import type { PageWords } from '../../words.ts'
import type * as English from './en.ts'

export const words: PageWords = {
  title: 'Smart Contract',
  lead: 'Zeigen Sie, dass Ihre Wallet einen Smart Contract kontrolliert.',
  says: 'Diese Wallet hat diesen Smart Contract kontrolliert, als der Nachweis entstand.',
  lacks: {
    what: 'Dazu braucht er eine Verbindung zu einer Blockchain, die zu Ethereum passt.',
    remedy: 'Fügen Sie einen Abschnitt [chains.<name>] mit chain = "eip155:…" und rpc hinzu.',
  },
  statement: ['kontrolliert den Contract {~input.contractAddress}'],
  summary: ['Kontrolliert {~input.contractAddress}'],
  fields: [
    defineContractField('Contract', 'Leer: jeder Contract.'),
    chainField,
    {
      label: 'Wie er kontrolliert wird',
      path: 'input.method',
      op: 'eq',
      kind: [
        ['owner', 'Eigentümer'],
        ['admin', 'Admin eines Proxys'],
        ['accessControl', 'Standard-Adminrolle'],
      ],
    },
  ],
  names: {
    method: 'Wie er kontrolliert wird',
    verificationMethod: 'Wie er kontrolliert wird',
  },
}

export const form: typeof English.form = {
  submit: 'Jetzt prüfen',
  mustBe: 'muss 0x und 40 Hexadezimalziffern sein',
  method: 'Wie Ihre Wallet ihn kontrolliert',
  methods: { owner: 'Eigentümer', admin: 'Admin eines Proxys', accessControl: 'Standard-Adminrolle' },
}
