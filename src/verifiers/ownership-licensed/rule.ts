import { Type } from '@sinclair/typebox'
import type { Hex } from '../../outside/chains/chain.ts'
import { defineChoice } from '../../shape.ts'
import { areSameAddress, normalizeAddress } from '../../wallet/account.ts'
import { hashKeccak256 } from '../../wallet/keccak.ts'
import { ChainId, EvmAddress, lacksEvmChain, requireEvmChain } from '../assets/chain.ts'
import { makeReading, makeSnapshot } from '../assets/contract.ts'
import { readToken, TokenStandard } from '../assets/nft.ts'
import { makeRefuse } from '../assets/refuse.ts'
import { requireTokenId } from '../assets/token-id.ts'
import { sharedParameters } from '../check-parameter.ts'
import { requireSameChainSigner } from '../contract-signer.ts'
import { defineClosed, describeText, keepPresent } from '../shapes.ts'
import { defineVerifier, type Evidence, fails, holds } from '../verifier.ts'
import { requireReference } from '../web-address.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const refuse = makeRefuse('ownership-licensed')

/**
 * `ownership-licensed`: the signer claims a piece of content under a license that is an NFT in the signer's own wallet.
 * Proves that the signer held the license at that block, not what the license allows.
 *
 * The interface has two members for one wallet, `owner` and `license.ownerAddress`. A license that somebody else holds
 * gives the signer no right, so both must be the signer. The content itself is not part of the evidence: its hash is.
 */
export const ownershipLicensed = defineVerifier({
  id: 'ownership-licensed',
  category: 'ownership',
  description: 'A wallet claims content under a license, which is an NFT that it holds.',
  words,
  translations: { de: german },
  flow: 'external_lookup',
  expiry: 'point_in_time',
  status: 'licensed_ownership_verified',
  allowsDelegatedSubject: false,
  compatibleWith: [],
  // For older clients only.
  isOptIn: true,
  accounts: { paths: ['license.ownerAddress', 'license.contractAddress'] },
  data: defineClosed({
    content: Type.String({ minLength: 1, maxLength: 10_000 }),
    owner: EvmAddress,
    license: defineClosed({
      contractAddress: EvmAddress,
      tokenId: Type.String({ pattern: '^[0-9]+$', maxLength: 78 }),
      chainId: ChainId,
      ownerAddress: EvmAddress,
      type: Type.Optional(TokenStandard),
    }),
    reference: Type.Optional(
      defineClosed({ type: defineChoice(['url', 'ipfs', 'tx', 'other']), id: describeText(500) }),
    ),
  }),
  readsState: true,
  restoreData: ({ owner, contentHash, reference, license }) =>
    // The license is what is read; the content, of which there is the hash alone, has no part in that.
    keepPresent({ content: contentHash, owner, reference, license }),
  absentWithout: lacksEvmChain,

  examine({ subject, data: { owner, license, reference } }, { outside }) {
    requireReference('ownership-licensed', reference)
    requireEvmChain(license.chainId, outside.chains, '/license/chainId', refuse)
    requireTokenId(license.tokenId, '/license/tokenId', refuse)
    if (!areSameAddress(owner, subject)) return fails('OWNER_MISMATCH', `data.owner is ${owner}, but ${subject} signed`)
    if (!areSameAddress(license.ownerAddress, subject))
      return fails(
        'LICENSE_OWNER_MISMATCH',
        `data.license.ownerAddress is ${license.ownerAddress}: the license must be in the wallet of ${subject}, who signed`,
      )
    return undefined
  },

  async verify(claim, { now, outside }) {
    const { subject, data } = claim
    const { content, license, reference } = data
    const chain = requireEvmChain(license.chainId, outside.chains, '/license/chainId', refuse)
    const tokenId = requireTokenId(license.tokenId, '/license/tokenId', refuse)
    requireSameChainSigner(claim, subject, chain.chain, 'ownership-licensed')
    const contractAddress = normalizeAddress(license.contractAddress)
    const standard = license.type ?? 'erc721'
    const view = await chain.atReadPoint()
    const held = await readToken(view, { contract: contractAddress as Hex, tokenId, standard }, subject as Hex)
    if ('holds' in held) return held
    return holds(
      keepPresent({
        owner: subject,
        contentHash: hashKeccak256(content.normalize('NFC')),
        reference,
        license: {
          contractAddress,
          tokenId: String(tokenId),
          chainId: chain.chainId,
          ownerAddress: subject,
          type: standard,
        },
        onChainData: { actualOwner: subject, ...held.facts, ...makeSnapshot(chain, view) },
        sources: [...view.sources],
        verificationTimestamp: now,
      }),
      { content, reading: makeReading(chain, view) },
    )
  },

  parameters: {
    referenceType: sharedParameters.referenceType,
    content: sharedParameters.content,
    contentHash: sharedParameters.contentHash,
    referenceId: sharedParameters.referenceId,
    ownerAddress: sharedParameters.ownerAddress,
  },
  facts: ['contentHash', 'referenceId'],

  writeScope({ contentHash, license }: Evidence) {
    const { chainId, contractAddress, tokenId } = license as Readonly<Record<string, unknown>>
    return `${contentHash} ${chainId} ${contractAddress} ${tokenId}`
  },
})
