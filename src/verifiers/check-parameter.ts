/** The parameters of a gate check that ask for members of the evidence. Each verifier describes its own. */

export interface CheckParameter {
  readonly description: string
  /** How a query spells the value. anyOf and allOf are lists with commas. */
  readonly kind: 'text' | 'whole' | 'amount' | 'flag' | 'anyOf' | 'allOf'
  /** The longest text, in characters: 256 by default. */
  readonly maxLength?: number
  readonly pattern?: string
  /** Bounds of a whole number. */
  readonly range?: readonly [least: number, most: number]
  /** The asked member of the evidence. The name of the parameter by default. */
  readonly member?: string
  readonly op?: 'gte'
  /** The evidence has a bare address: the advice for a value that names a chain as well. */
  readonly bareAdvice?: string
  /** On a server of the brand `acme`, the parameter is also known as `acme` and this word. */
  readonly brandedAs?: string
}

export type CheckParameters = Readonly<Record<string, CheckParameter>>

const bareAdvice = 'give the bare address, and the chain of the asset as chainId'

/** For parameters whose evidence has an account id. */
const withChain =
  'An address, which is the key or the contract on the hub chain, or a did:pkh or CAIP-10 account, which is that wallet on its chain only.'

/** Descriptions that several verifiers share: a name means the same for all of them. */
export const sharedParameters = {
  referenceType: { kind: 'text', description: 'Of ownership-basic: type of the reference.' },
  referenceId: { kind: 'anyOf', description: 'Any of these references.' },
  content: { kind: 'text', maxLength: 2048, description: 'Id of the reference.' },
  contentType: {
    kind: 'text',
    maxLength: 100,
    description: 'Of ownership-basic and ai-content-moderation: MIME type.',
  },
  contentHash: { kind: 'text', description: 'Hash of the content, 0x and 64 hexadecimal digits.' },
  provider: {
    kind: 'text',
    description: 'Provider of the evidence. Of wallet-risk and ai-content-moderation: one that was asked and answered.',
  },
  checked: {
    kind: 'allOf',
    description:
      'Somebody looked at all of these. Of wallet-risk: sanctions, activity, poisoning. Of ai-content-moderation: names of categories.',
  },
  handle: { kind: 'text', description: 'Handle or pseudonym.' },
  domain: { kind: 'text', maxLength: 254, description: 'Domain whose owner the wallet is.' },
  contractAddress: {
    kind: 'text',
    bareAdvice: 'give the bare address, and its chain as chainId',
    description: 'Contract or mint of an asset, as a bare address; its chain is chainId.',
  },
  chainId: {
    kind: 'whole',
    range: [1, Number.MAX_SAFE_INTEGER],
    description: 'Chain of the asset, not of the signature, 1 to 9007199254740991.',
  },
  ownerAddress: {
    kind: 'text',
    bareAdvice,
    description:
      'Bare address of the wallet that holds the asset. Only with it or subjectWallet proofs count that are about another wallet.',
  },
  subjectWallet: {
    kind: 'text',
    bareAdvice,
    description:
      'Bare address of the wallet that the proof is about, where another one may have signed: of nft-ownership, token-holding, contract-ownership and wallet-risk. As ownerAddress, it lets proofs count that are about another wallet than the signer.',
  },
  blockNumber: {
    kind: 'whole',
    range: [0, Number.MAX_SAFE_INTEGER],
    description:
      'Of nft-ownership and token-holding: the past block that the proof names. Only with it proofs about a past block count, and no others. Blocks are numbered by chain: give chainId as well.',
  },
  agentId: { kind: 'text', description: 'Id of the agent.' },
  agentWallet: { kind: 'text', description: `The wallet of the agent. ${withChain}` },
  controllerWallet: { kind: 'text', description: `The wallet that delegates. ${withChain}` },
  primaryWalletAddress: { kind: 'text', description: `The wallet that was linked to. ${withChain}` },
  secondaryWalletAddress: { kind: 'text', description: `The wallet that was linked. ${withChain}` },
} as const satisfies CheckParameters
