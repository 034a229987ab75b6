/** Namen der Angaben, die mehrere Prüfungen machen. */
import type * as English from '../en/facts.ts'

export const factNames: typeof English.factNames = {
  input: 'Gefragt',
  onChainData: 'Von der Chain gelesen',
  owner: 'Inhaber',
  ownerAddress: 'Inhaber',
  actualOwner: 'Inhaber laut Chain',
  walletAddress: 'Wallet',
  contractAddress: 'Contract',
  contentHash: 'Fingerabdruck (Hash) des Inhalts',
  contentType: 'Art des Inhalts',
  tokenId: 'Token-ID',
  tokenType: 'Art des Tokens',
  chainId: 'Chain',
  chain: 'Chain',
  blockNumber: 'Block',
  blockHash: 'Hash des Blocks',
  blockTimestamp: 'Zeit des Blocks',
  sources: 'Quellen',
  provider: 'Anbieter',
  checked: 'Was geprüft wurde',
  asked: 'Wer gefragt wurde',
  verificationTimestamp: 'Geprüft am',
  checkedAt: 'Geprüft am',
  verifiedAt: 'Geprüft am',
  expiresAt: 'Läuft ab',
  timestamp: 'Signiert am',
  metadata: 'Weitere Angaben',
  description: 'Beschreibung',
  label: 'Name',
  reference: 'Verweis',
  id: 'Kennung',
  type: 'Art',
  title: 'Titel',
  name: 'Name',
  license: 'Lizenz',
  traits: 'Einzelheiten',
  claims: 'Aussagen',
}

/** Tatsachen, die stimmen oder nicht. */
export const truth: typeof English.truth = { yes: 'Ja', no: 'Nein' }
