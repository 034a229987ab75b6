import { type Static, Type } from '@sinclair/typebox'
import { writeCanonicalJson } from '../../envelope/canonical-json.ts'
import { writeSignerString } from '../../envelope/signer-string.ts'
import { AppError } from '../../errors.ts'
import { defineChoice } from '../../shape.ts'
import { areSameAddress, findAddressFault, normalizeAddress, writeAccountId } from '../../wallet/account.ts'
import { findStaleness } from '../../wallet/freshness.ts'
import { signatureMaxLength } from '../../wallet/signature.ts'
import { isContractMethod } from '../../wallet/signature-method.ts'
import { makeSpentText } from '../../wallet/spent-text.ts'
import { requireMilliseconds } from '../../wallet/unix-milliseconds.ts'
import { sharedParameters } from '../check-parameter.ts'
import { requireSameChainSigner } from '../contract-signer.ts'
import { AccountId, Caip2, describeText, keepPresent, WalletAddress } from '../shapes.ts'
import { defineVerifier, fails, holds } from '../verifier.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const WalletLinkData = Type.Object({
  primaryWalletAddress: Type.Optional(WalletAddress),
  secondaryWalletAddress: Type.Optional(WalletAddress),
  chain: Type.Optional(Caip2),
  primaryAccountId: Type.Optional(AccountId),
  secondaryAccountId: Type.Optional(AccountId),
  primaryChainRef: Type.Optional(Caip2),
  secondaryChainRef: Type.Optional(Caip2),
  signature: Type.String({
    minLength: 1,
    maxLength: signatureMaxLength,
    description: 'By the secondary wallet, over a text of its own: see the guide "signatures".',
  }),
  signatureMethod: describeText(32),
  signedTimestamp: Type.Integer({ minimum: 0, description: 'Unix milliseconds of the secondary wallet’s signature.' }),
  relationshipType: Type.Optional(defineChoice(['primary', 'personal', 'org', 'affiliate', 'agent', 'linked'])),
  label: Type.Optional(describeText(64)),
})

/**
 * `wallet-link`: the signer and a second wallet belong together, and both sign it. The second wallet signs six lines of
 * its own. Their data is rebuilt here from the addresses, which clients send in either spelling. A session of the
 * primary wallet may act for the second one (sessions/), which that wallet agrees to by signing. The second signature
 * makes one link: after a revocation, no other request can reuse it.
 */
export const walletLink = defineVerifier({
  id: 'wallet-link',
  category: 'wallet',
  description: 'A second wallet, which signs as well, belongs to the same holder.',
  words,
  translations: { de: german },
  flow: 'instant',
  expiry: 'permanent',
  status: 'wallet_linked',
  allowsDelegatedSubject: false,
  compatibleWith: ['contract-ownership', 'ownership-basic', 'wallet-risk', 'agent-identity'],
  signer: { wallet: 'primaryWalletAddress', chainRef: 'primaryChainRef', accountId: 'primaryAccountId' },
  accounts: { paths: ['primaryWalletAddress', 'secondaryWalletAddress'], isBeyondEvm: true },
  agreement: ['primaryAccountId', 'primaryWalletAddress', 'secondaryAccountId', 'secondaryWalletAddress'],
  // The second wallet signs a text that is prepared for it.
  guide: { filled: ['signature', 'signatureMethod', 'signedTimestamp'], chosen: ['secondaryWalletAddress'] },
  data: WalletLinkData,

  examine({ subject, data }) {
    const primary = readAccount(data, 'primary')
    const secondary = readAccount(data, 'secondary')
    if (!areSameAddress(primary.address, subject))
      return fails('PRIMARY_MISMATCH', `the primary wallet is ${primary.address}, but ${subject} signed the request`)
    // Contracts at one address on two chains are two wallets; the signature shows whether the second one is a contract.
    const isOnEvm = primary.chain.startsWith('eip155:') && secondary.chain.startsWith('eip155:')
    if (areSameAddress(primary.address, secondary.address) && (primary.chain === secondary.chain || !isOnEvm))
      return fails('SAME_WALLET', 'a wallet cannot be linked to itself')

    requireMilliseconds(data.signedTimestamp, 'data.signedTimestamp', '/data/signedTimestamp')
    return undefined
  },

  async verify(claim, { now, verifySignature, settings }) {
    const { data } = claim
    const primary = readAccount(data, 'primary')
    const secondary = readAccount(data, 'secondary')
    requireSameChainSigner(claim, primary.address, primary.chain, 'wallet-link')
    const stale = findStaleness(data.signedTimestamp, now, {
      maxAgeMs: settings.linkMaxAgeMs,
      maxAheadMs: settings.maxAheadMs,
      restoredAt: settings.restoredAt,
    })
    if (stale) return fails('LINK_SIGNATURE_EXPIRED', `data.signedTimestamp: ${stale}`)

    const linked = {
      walletAddress: secondary.address,
      verifierIds: ['wallet-link'],
      canonicalData: writeCanonicalJson({
        primaryAccountId: writeAccountId(primary.chain, primary.address),
        secondaryAccountId: writeAccountId(secondary.chain, secondary.address),
        primaryWalletAddress: normalizeAddress(primary.address),
        secondaryWalletAddress: normalizeAddress(secondary.address),
      }),
      signedTimestamp: data.signedTimestamp,
      context: { chain: secondary.chain },
    }
    const texts = settings.titles.map((title) => writeSignerString(linked, title))
    const verdict = await verifySignature(
      {
        address: secondary.address,
        chain: secondary.chain,
        signature: data.signature,
        method: data.signatureMethod,
      },
      texts,
    )
    if (!verdict.signed)
      return fails(
        'LINK_SIGNATURE_INVALID',
        `data.signature must be the secondary wallet's, over the text in signerString: ${verdict.message}`,
        { signerString: texts[0]! },
      )

    const isSameAddress = areSameAddress(primary.address, secondary.address)
    if (isSameAddress && claim.contractOn === undefined && !isContractMethod(verdict.method))
      return fails('SAME_WALLET', 'a wallet cannot be linked to itself: a key is the same wallet on every chain')

    return holds(
      keepPresent({
        primaryWalletAddress: normalizeAddress(primary.address),
        secondaryWalletAddress: normalizeAddress(secondary.address),
        primaryAccountId: writeAccountId(primary.chain, primary.address),
        secondaryAccountId: writeAccountId(secondary.chain, secondary.address),
        chain: secondary.chain,
        relationshipType: data.relationshipType ?? 'linked',
        label: data.label,
        signatureMethod: verdict.method,
        linkedAt: now,
      }),
      {
        title: settings.titles[verdict.position]!,
        spends: {
          ...makeSpentText(normalizeAddress(secondary.address), texts[verdict.position]!, {
            signedTimestamp: data.signedTimestamp,
            maxAgeMs: settings.linkMaxAgeMs,
          }),
          usedReason: 'LINK_SIGNATURE_USED',
          usedMessage:
            'the signature of the second wallet (data.signature) made a link before: let that wallet sign again with a new data.signedTimestamp',
        },
      },
    )
  },

  parameters: {
    primaryWalletAddress: sharedParameters.primaryWalletAddress,
    secondaryWalletAddress: sharedParameters.secondaryWalletAddress,
  },
  facts: ['secondaryWalletAddress'],

  writeScope: ({ secondaryAccountId }) => String(secondaryAccountId),
})

interface LinkedAccount {
  readonly chain: string
  readonly address: string
}

/** The account by its CAIP-10 id, or by its address and chain; if both are given, they must agree. */
function readAccount(data: Static<typeof WalletLinkData>, side: 'primary' | 'secondary'): LinkedAccount {
  const accountId = data[`${side}AccountId`]
  const givenAddress = data[`${side}WalletAddress`]
  // `chain` is the chain of the second wallet's signature; the first may live on another one.
  const givenChain = data[`${side}ChainRef`] ?? (side === 'secondary' || !accountId ? data.chain : undefined)
  const parts = accountId?.split(':')
  const address = givenAddress ?? parts?.[2]
  const chain = parts ? `${parts[0]}:${parts[1]}` : givenChain

  if (!address || !chain)
    throw makeInvalidError(
      `/${side}WalletAddress`,
      `wallet-link needs the ${side} wallet: give ${side}WalletAddress with chain, or ${side}AccountId`,
    )
  if (parts && !areSameAddress(parts[2] ?? '', address))
    throw makeInvalidError(`/${side}AccountId`, `${side}AccountId and ${side}WalletAddress name two different wallets`)
  if (givenChain !== undefined && givenChain !== chain)
    throw makeInvalidError(`/${side}AccountId`, `${side}AccountId is on ${chain}, but ${givenChain} is given beside it`)
  const fault = findAddressFault(address, chain.slice(0, chain.indexOf(':')))
  if (fault)
    throw makeInvalidError(`/${side}WalletAddress`, `the ${side} wallet is not an address of ${chain}: ${fault}`)
  return { chain, address }
}

const makeInvalidError = (path: string, message: string): AppError =>
  new AppError('INVALID_VERIFIER_DATA', message, { verifierId: 'wallet-link', path })
