/** The English words of nft-ownership. */
import { chainField, defineContractField } from '../../assets/fields.ts'
import { describeChain, isolateText, joinValue } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'NFT',
  lead: 'Show that your wallet holds an NFT now.',
  says: 'This wallet held this NFT when the proof was made.',
  lacks: {
    what: 'It needs a connection to a blockchain.',
    remedy: 'Add a section [chains.<name>] with chain and rpc.',
  },
  statement: ['holds the NFT {~input.tokenId} of {~input.contractAddress}'],
  summary: ['Number {~input.tokenId} of {~input.contractAddress}'],
  fields: [
    defineContractField('Contract of the collection', 'Leave empty for any NFT.'),
    chainField,
    { label: 'Token id', path: 'input.tokenId', op: 'eq', hint: 'Leave empty for any of the collection.' },
  ],
  requirement(criteria, tools) {
    const token = criteria.take('tokenId')
    const contract = criteria.take('contractAddress')
    const what = token === undefined ? 'an NFT' : `the NFT ${isolateText(token)}`
    return `holds ${what}${joinValue(' of ', contract)}${describeChain(criteria, tools)}`
  },
}

/** The words of the form. */
export const form = {
  submit: 'Check it now',
  tokenId: 'Token id',
  tokenType: 'Kind',
  tokenTypes: { erc721: 'ERC-721, one of a kind', erc1155: 'ERC-1155, several of a kind' },
}
