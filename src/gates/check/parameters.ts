/** The parameters of a gate check, as a query spells them. check-request.ts interprets them. */
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { qHashPattern } from '../../envelope/q-hash.ts'
import { Flag } from '../../http/describe.ts'
import { defineChoice, open } from '../../shape.ts'
import { gateIdPattern } from '../gate.ts'

/** Never empty: a caller whose variable is empty would ask for less than it means, and let everybody in. */
const describeText = (description: string, maxLength = 256) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))
const describeCsv = (description: string) => describeText(`${description} Comma-separated.`, 2048)
const describeDigits = (description: string) => Type.Optional(Type.String({ pattern: '^[0-9]{1,16}$', description }))

/** For filters whose evidence has an account id. */
const withChain =
  'An address, which is the key or the contract on the hub chain, or a did:pkh or CAIP-10 account, which is that wallet on its chain only.'

/** Parameters that are held against the data of a row under their own name. */
export const conditionMembers = {
  referenceType: describeText('Of ownership-basic: type of the reference.'),
  contentType: describeText('Of ownership-basic and ai-content-moderation: MIME type.', 100),
  content: describeText('Id of the reference.', 2048),
  contentHash: describeText('Hash of the content, 0x and 64 hexadecimal digits.'),
  contractAddress: describeText('Contract or mint of an asset, as a bare address; its chain is chainId.'),
  tokenId: describeText('Token id, as a number where it is one.'),
  chainId: describeDigits('Chain of the asset, not of the signature, 1 to 9007199254740991.'),
  domain: describeText('Domain whose owner the wallet is.', 254),
  minBalance: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,60}(\\.[0-9]{1,60})?$',
      description: 'Whole tokens as a decimal text: at least so many must be proven.',
    }),
  ),
  ownerAddress: describeText(
    'Bare address of the wallet that holds the asset. Only with it or subjectWallet proofs count that are about another wallet.',
  ),
  subjectWallet: describeText(
    'Bare address of the wallet that the proof is about, where another one may have signed: of nft-ownership, token-holding, contract-ownership and wallet-risk. As ownerAddress, it lets proofs count that are about another wallet than the signer.',
  ),
  blockNumber: describeDigits(
    'Of nft-ownership and token-holding: the past block that the proof names. Only with it proofs about a past block count, and no others. Blocks are numbered by chain: give chainId as well.',
  ),
  provider: describeText(
    'Provider of the evidence. Of wallet-risk and ai-content-moderation: one that was asked and answered.',
  ),
  handle: describeText('Handle or pseudonym.'),
  namespace: Type.Optional(Type.String({ pattern: '^[a-z0-9._-]{1,64}$', description: 'Namespace of the pseudonym.' })),
  riskLevel: describeText(
    'The worst level that a risk provider gave. Counts only where somebody looked at what the wallet did (checked: activity).',
    32,
  ),
  sanctioned: Flag('What the risk providers found. Counts only where somebody looked at sanctions.'),
  poisoned: Flag('What the risk providers found. Counts only where somebody looked for poisoning.'),
  primaryWalletAddress: describeText(`The wallet that was linked to. ${withChain}`),
  secondaryWalletAddress: describeText(`The wallet that was linked. ${withChain}`),
  controllerWallet: describeText(`The wallet that delegates. ${withChain}`),
  agentWallet: describeText(`The wallet of the agent. ${withChain}`),
  agentId: describeText('Id of the agent.'),
  delegationScope: describeText('Scope of the delegation.'),
  verificationMethod: describeText(
    'Of contract-ownership: how control was shown: owner, admin or accessControl. Nothing matches any other text.',
  ),
  svcPersonhoodId: describeText('Of proof-of-human: the id of the person in its scope. No answer shows it.'),
} as const

/** Parameters that stand for a condition of another form. */
const otherConditionMembers = {
  referenceId: describeCsv('Any of these references.'),
  checked: describeCsv(
    'Somebody looked at all of these. Of wallet-risk: sanctions, activity, poisoning. Of ai-content-moderation: names of categories.',
  ),
  ageMin: describeDigits('At least this age was shown, 0 to 150.'),
  sanctionsPassed: Flag('Whether the person was found on no sanctions list.'),
  traitPath: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
      maxLength: 128,
      description: 'With traitGte: dotted path of a number in traits, or in the data.',
    }),
  ),
  traitGte: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,60}(\\.[0-9]{1,60})?$', description: 'The least value of that trait.' }),
  ),
}

const whoIsChecked =
  'Wallet address, did:pkh or CAIP-10 account. The latter two name the chain of a contract wallet; a bare address is the key, or else the contract on the hub chain.'

export const CheckQuery = open({
  address: describeText(`${whoIsChecked} May be left out with qHash or subject=me.`),
  subject: Type.Optional(defineChoice(['me'], 'The wallet that signs this request.')),
  gateId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 80,
      pattern: gateIdPattern,
      description: 'Gate whose requirements are checked.',
    }),
  ),
  qHash: Type.Optional(Type.String({ pattern: qHashPattern, description: 'Only this proof.' })),
  verifierId: describeText('Proofs of this verifier.', 64),
  verifierIds: describeCsv('Proofs of one of these verifiers.'),
  requireAll: Flag('One proof must hold all of verifierIds.'),
  minCount: describeDigits('So many different claims must match for eligible, 1 to 1000. Default 1.'),
  sinceDays: describeDigits('Only proofs of the last days, 1 to 3650. Of a gate as well.'),
  since: describeDigits(
    'Only proofs made at this time or later, in Unix milliseconds, 0 to 8640000000000000. Of a gate as well.',
  ),
  limit: describeDigits('How many proofs are looked at at most, the newest first: 1 to 1000. Default 1000.'),
  tag: describeText('Proofs with this tag.', 64),
  tags: describeCsv('Proofs with all of these tags.'),
  ...conditionMembers,
  ...otherConditionMembers,
  select: describeCsv('What to show of the matching proofs: handle, provider, profileUrl, traits.<name>.'),
  includePrivate: Flag('Private proofs count as well, when the wallet signs the request.'),
  includeQHashes: Flag('Also which proof meets which requirement, and the ids of private proofs.'),
  explain: Flag('Also why, and what would help.'),
})

/** With the name that the personhood filter has on this server, beside the one that works everywhere. */
export const checkQueryNamed = (personhoodName: string): TObject =>
  open({
    ...CheckQuery.properties,
    ...(personhoodName in CheckQuery.properties
      ? {}
      : { [personhoodName]: describeText('Of proof-of-human: the same as svcPersonhoodId.') }),
  })

/** The older path accepts no signature. */
export const describeOlderCheckQuery = (personhoodName: string): TObject => {
  const { subject: _, includePrivate: __, includeQHashes: ___, ...members } = checkQueryNamed(personhoodName).properties
  return open({ ...members, address: describeText(`${whoIsChecked} May be left out with qHash.`) })
}

export type CheckParameters = Static<typeof CheckQuery>
