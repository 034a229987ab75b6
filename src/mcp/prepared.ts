/** The text that a wallet must sign itself, and the way to return the signature. */
import { type Static, Type } from '@sinclair/typebox'
import type { Parts } from '../parts.ts'
import { standardize } from '../verification/standardize.ts'

export const Prepared = Type.Object(
  {
    walletAddress: Type.String({ description: 'The wallet that must sign.' }),
    chain: Type.Optional(Type.String({ description: 'The chain in the text, where it is not the hub chain of keys.' })),
    purpose: Type.String({ description: 'For the person: what the signature is for.' }),
    signerString: Type.String({ description: 'The text to sign, exactly as it is (personal_sign).' }),
    signedTimestamp: Type.Integer({ description: 'Unix milliseconds; in the text. It is accepted for a few minutes.' }),
    submitWith: Type.Object(
      { tool: Type.String(), arguments: Type.Object({}, { additionalProperties: true }) },
      { description: 'Call this tool with these arguments, and with the signature where they say <signature>.' },
    ),
  },
  { description: 'A signature that is needed.' },
)
export type Prepared = Static<typeof Prepared>

export const signaturePlaceholder = '<signature>'

export interface UnsignedClaim {
  readonly walletAddress: string
  readonly verifierIds: readonly string[]
  readonly data: Readonly<Record<string, unknown>>
  readonly chain?: string | undefined
}

/** `options` are what verification gets beside the claim. Errors: those of standardize. */
export function prepareSigning(
  parts: Parts,
  claim: UnsignedClaim,
  purpose: string,
  verifyTool: string,
  options?: object | undefined,
): Prepared {
  const signedTimestamp = parts.now()
  const { walletAddress, data, chain } = claim
  const verifierIds = [...claim.verifierIds]
  const request = { walletAddress, verifierIds, data, signedTimestamp, ...(chain === undefined ? {} : { chain }) }
  const { signerString } = standardize(parts, { ...request, ...(options ? { options } : {}) })
  return {
    walletAddress,
    ...(chain === undefined ? {} : { chain }),
    purpose,
    signerString,
    signedTimestamp,
    submitWith: {
      tool: verifyTool,
      arguments: { ...request, ...(options ? { options } : {}), signature: signaturePlaceholder },
    },
  }
}
