/** A fulfillment request: its shape, and its caller. It checks neither requirements nor payments. */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import {
  type Caller,
  type Credentials,
  makeUnsignedError,
  readBodyCredentials,
  requireCaller,
} from '../../auth/caller.ts'
import type { Account } from '../../auth/identity.ts'
import { makeAction, showAction } from '../../auth/owner-action.ts'
import { describeSigning } from '../../auth/owner-text.ts'
import { signedMembers } from '../../auth/signed-body.ts'
import { qHashPattern } from '../../envelope/q-hash.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { paymentMethods } from '../../payments/index.ts'
import type { NamedEvidence, OfferedEvidence } from '../../payments/offer.ts'
import { chooseHolder } from '../../proofs/account-store.ts'
import { isProofOwner, readSigner } from '../../proofs/owner.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import { open } from '../../shape.ts'
import { mayMean, readNamedAccount, writeAccount } from '../../wallet/account.ts'
import { signatureMaxLength } from '../../wallet/signature.ts'
import type { Gate } from '../gate.ts'

/** The members that payments come in, as their methods describe them. */
const paymentMembers: Readonly<Record<string, TSchema>> = Object.fromEntries(
  paymentMethods.flatMap(({ evidence }) =>
    evidence.in === 'body'
      ? [
          [
            evidence.member,
            Type.Optional(Type.String({ maxLength: evidence.maxLength, description: evidence.description })),
          ] as const,
          ...Object.entries(evidence.beside ?? {}).map(([name, shape]) => [name, Type.Optional(shape)] as const),
        ]
      : [],
  ),
)

export const FulfillBody = open({
  ...signedMembers,
  qHash: Type.String({ pattern: qHashPattern, description: 'A proof of the caller that the gate asks for.' }),
  walletAddress: Type.Optional(Type.String({ maxLength: 160, description: 'The wallet that made the proof.' })),
  ...(paymentMembers as object),
  signature: Type.Optional(
    Type.String({
      maxLength: signatureMaxLength,
      description: `Over the six lines of ${showAction('fulfill_gate')} or ${showAction('access_private_proof')}. The five x- headers do as well.`,
    }),
  ),
  accessGrant: Type.Optional(
    Type.Object(
      {
        resources: Type.Optional(
          Type.Array(
            Type.Object(
              { kind: Type.String({ maxLength: 64 }), id: Type.String({ maxLength: 256 }) },
              { additionalProperties: true },
            ),
            { maxItems: 64 },
          ),
        ),
        connectionQHash: Type.Optional(Type.String({ pattern: qHashPattern })),
        connectedAccountId: Type.Optional(Type.String({ maxLength: 256 })),
        toolkitSlug: Type.Optional(Type.String({ maxLength: 128 })),
      },
      {
        additionalProperties: true,
        description: 'Access to a connected account, for gates that ask for it. None does yet, so it is refused.',
      },
    ),
  ),
})
export type FulfillBody = Static<typeof FulfillBody> & NamedEvidence

export interface FulfillRequest {
  readonly gateId: string
  readonly body: FulfillBody
  readonly request: Request
}

const fulfillAction = (gateId: string, qHash: string) => makeAction('fulfill_gate', { gateId, qHash })

/** The action that a proof's owner signs to spend it at a gate. Existing clients send the reading action instead. */
const fulfillActions = (gateId: string, qHash: string) => () =>
  [...new Set([qHash, qHash.toLowerCase()])].flatMap((spelled) => [
    fulfillAction(gateId, spelled),
    makeAction('access_private_proof', { qHash: spelled }),
  ])

/** The signature of the owner, from the body or the headers, or who is signed in. Errors: those of readBodyCredentials. */
export const readCredentials = (
  parts: Parts,
  { gateId, body, request }: FulfillRequest,
): Promise<Credentials | undefined> => readBodyCredentials(body, parts, request, fulfillAction(gateId, body.qHash))

export const requireSigner = (
  { gateId, body }: FulfillRequest,
  credentials: Credentials,
  parts: Parts,
  about: (account: Account) => boolean,
): Promise<Caller> => requireCaller(credentials, fulfillActions(gateId, body.qHash), parts, { about })

/**
 * The caller, who must be the wallet of the proof. Errors: WALLET_AUTH_REQUIRED, FORBIDDEN, and those of requireCaller.
 */
export async function requireBuyer(
  parts: Parts,
  gate: Gate,
  proof: ProofRow,
  request: FulfillRequest,
): Promise<Caller> {
  const credentials = await readCredentials(parts, request)
  const caller = credentials
    ? await requireSigner(request, credentials, parts, (account) => isProofOwner(proof, account))
    : requireBareCaller(parts, gate, proof, request)
  const { walletAddress } = request.body
  if (walletAddress && !isNamed(walletAddress, caller, parts))
    throw new AppError(
      'FORBIDDEN',
      `walletAddress is ${walletAddress}, but the request is made by ${writeAccount(caller)}`,
    )
  if (!isProofOwner(proof, caller))
    throw new AppError('FORBIDDEN', `this proof does not belong to ${writeAccount(caller)}: use a proof of that wallet`)
  return caller
}

const isNamed = (identifier: string, account: Account, { config }: Parts): boolean => {
  const named = readNamedAccount(identifier, config.signing.hubChainId)
  return named !== undefined && mayMean(named, account)
}

/**
 * A wallet without a credential. Everybody knows the id and the wallet of a public proof, so the operator must have
 * enabled this. Even then a public proof gives away no secret.
 */
export function requireBareCaller(
  { config }: Parts,
  { definition }: Gate,
  proof: ProofRow,
  { gateId, body }: FulfillRequest,
): Caller {
  const isSecret = definition.rewards?.some(({ kind }) => kind === 'reveal' || kind === 'download') ?? false
  const isPublic = proof.visibility > 0
  if (!body.walletAddress || !config.gates.acceptBareWallet || (isSecret && isPublic))
    throw makeUnsignedFulfillmentError(gateId, body.qHash)
  const named = readNamedAccount(body.walletAddress, config.signing.hubChainId)
  const { wallet, contractOn } = readSigner(proof)
  if (named && chooseHolder(named).either.includes(writeAccount({ wallet, contractOn })))
    return { wallet, contractOn, signed: undefined }
  throw new AppError('FORBIDDEN', `this proof does not belong to ${body.walletAddress}: use a proof of that wallet`)
}

/** The text that a buyer signs, as the end of a sentence. */
export const describeFulfillSigning = (gateId: string, qHash: string): string =>
  `with a signature by the wallet of the proof: ${describeSigning(fulfillAction(gateId, qHash))}`

const makeUnsignedFulfillmentError = (gateId: string, qHash: string): AppError =>
  makeUnsignedError(`fulfill ${describeFulfillSigning(gateId, qHash)}`, fulfillAction(gateId, qHash))

/** The offered payment evidence. */
export const readOfferedEvidence = ({ body, request }: FulfillRequest): OfferedEvidence => ({
  ...Object.fromEntries(Object.keys(paymentMembers).map((member) => [member, body[member as keyof NamedEvidence]])),
  ...Object.fromEntries(
    paymentMethods.flatMap(({ evidence: { in: place, member } }) =>
      place === 'header' ? [[member, request.headers.get(member) ?? undefined]] : [],
    ),
  ),
})
