/** Die deutschen Wörter von nft-ownership. */
import { chainField, defineContractField } from '../../assets/fields.ts'
import type { PageWords } from '../../words.ts'
import type * as English from './en.ts'

export const words: PageWords = {
  title: 'NFT',
  lead: 'Zeigen Sie, dass Ihre Wallet jetzt ein NFT hält.',
  says: 'Diese Wallet hat dieses NFT gehalten, als der Nachweis entstand.',
  lacks: {
    what: 'Dazu braucht er eine Verbindung zu einer Blockchain.',
    remedy: 'Fügen Sie einen Abschnitt [chains.<name>] mit chain und rpc hinzu.',
  },
  statement: ['hält das NFT {~input.tokenId} von {~input.contractAddress}'],
  summary: ['Nummer {~input.tokenId} von {~input.contractAddress}'],
  fields: [
    defineContractField('Contract der Sammlung', 'Leer: jedes NFT.'),
    chainField,
    { label: 'Token-ID', path: 'input.tokenId', op: 'eq', hint: 'Leer: jedes der Sammlung.' },
  ],
}

export const form: typeof English.form = {
  submit: 'Jetzt prüfen',
  tokenId: 'Token-ID',
  tokenType: 'Art',
  tokenTypes: { erc721: 'ERC-721, jedes einzeln', erc1155: 'ERC-1155, mehrere gleiche' },
}
