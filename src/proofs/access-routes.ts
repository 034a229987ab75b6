/** The older paths that share private proofs: /api/v1/verification/access. */
import { Type } from '@sinclair/typebox'
import { requireOffered } from '../auth/caller.ts'
import { type NeededAction, showAction } from '../auth/owner-action.ts'
import { nameOwnerWallet } from '../auth/signed-body.ts'
import { qHashPattern } from '../envelope/q-hash.ts'
import { describeAnswer, IsoTimestamp } from '../http/describe.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { defineChoice, open } from '../shape.ts'
import { accessExamples } from './access-examples.ts'
import { grantAccess, listAccess, withdrawAccess } from './grant.ts'
import { sourceWords } from './source-view.ts'
import { OwnerBody, OwnerHeaders, QHashParams } from './wire.ts'

const tag = 'verification'
const QHash = Type.String({ pattern: qHashPattern })
const { signature, signedTimestamp, chain, signatureMethod } = OwnerBody.properties
const GrantBody = open({
  qHash: QHash,
  ownerWallet: Type.String({
    minLength: 1,
    maxLength: 160,
    description: 'The owner of the proof: an address (0x and 40 hexadecimal digits), did:pkh or CAIP-10 account.',
  }),
  viewerWallet: Type.String({
    minLength: 1,
    maxLength: 160,
    description:
      'Wallet address, did:pkh or CAIP-10 account. The latter two name the contract wallet on their chain, where one has proofs here or has signed in, or else the key; a bare address is the key, or else the contract on the hub chain.',
  }),
  expiresInSeconds: Type.Optional(
    Type.Union([Type.Integer({ minimum: 60, maximum: 31_536_000 }), Type.Null()], {
      description: 'Default 900; null: until the proof is revoked.',
    }),
  ),
  signature,
  signedTimestamp,
  chain,
  signatureMethod,
})

const WithdrawBody = open({
  qHash: QHash,
  ownerWallet: Type.String({
    minLength: 1,
    maxLength: 160,
    description: 'The owner of the proof: an address (0x and 40 hexadecimal digits), did:pkh or CAIP-10 account.',
  }),
  viewerWallet: Type.String({
    minLength: 1,
    maxLength: 160,
    description: 'As it was granted, or as the list of grants spells it.',
  }),
  signature,
  signedTimestamp,
  chain,
  signatureMethod,
})

const Viewer = Type.String({
  description: 'The one account that may read: the address of a key, or the CAIP-10 account of a contract wallet.',
})
const GrantView = Type.Object({
  viewerWallet: Viewer,
  createdAt: Type.Integer({ description: 'When it was shared. Unix milliseconds.' }),
  expiresAt: Type.Union([Type.Integer(), Type.Null()], { description: 'null: until the proof is revoked.' }),
  source: defineChoice(
    sourceWords,
    'Who shared it: signature or session is the wallet itself. What a key, a grant or a linked wallet shared ends with it; unknown is from before this was recorded.',
  ),
})

function throwForOwner(error: unknown): never {
  throw nameOwnerWallet(error)
}

export const accessRoutes = (parts: Parts): readonly Route[] => [
  route(
    {
      method: 'POST',
      path: '/api/v1/verification/access/grant',
      callers: ['signature', 'session', 'access-key'],
      surface: 'proofs',
      body: GrantBody,
      rate: 'owner',
      operation: {
        tag,
        operationId: 'grantAccess',
        summary: 'Let another wallet read a private proof',
        description: `Signed by the owner over ${showAction('grant_proof_access')}, the last only when it is sent. A key or token needs the scope profile, and secrets for a grant without an end; what it grants ends when it is revoked.`,
        answer: describeAnswer({
          data: Type.Object({
            qHash: Type.String(),
            viewerWallet: Viewer,
            expiresAt: Type.Union([Type.Integer(), Type.Null()]),
          }),
          timestamp: IsoTimestamp,
        }),
        refusals: [400, 401, 403, 404, 409, 413, 415, 503],
        example: accessExamples.grantAccess,
      },
    },
    async ({ body, request }) => {
      const { ownerWallet: walletAddress, signature, signedTimestamp, chain, signatureMethod, ...grant } = body
      const { qHash, viewerWallet, expiresInSeconds } = grant
      const signed = { walletAddress, signature, signedTimestamp, chain, signatureMethod }
      const needed: NeededAction = { action: 'grant_proof_access', qHash, viewerWallet, expiresInSeconds }
      const data = await requireOffered(signed, parts, request, needed)
        .then((offered) => grantAccess(parts, { ...grant, expiresInSeconds }, offered))
        .catch(throwForOwner)
      return { success: true, data, timestamp: new Date(parts.now()).toISOString() }
    },
  ),
  route(
    {
      method: 'GET',
      path: '/api/v1/verification/access/:qHash',
      callers: ['signature', 'session', 'access-key'],
      surface: 'proofs',
      params: QHashParams,
      headers: OwnerHeaders,
      needs: 'profile',
      rate: 'reads',
      operation: {
        tag,
        operationId: 'listAccess',
        summary: 'Which wallets may read a private proof',
        description: `For its owner, signed over ${showAction('list_proof_access')}. The newest first.`,
        answer: describeAnswer({
          data: Type.Object({ qHash: Type.String(), grants: Type.Array(GrantView), hasMore: Type.Boolean() }),
          timestamp: IsoTimestamp,
        }),
        refusals: [400, 401, 403, 404],
        example: accessExamples.listAccess,
      },
    },
    async ({ params, request }) => {
      const credentials = await requireOffered({}, parts, request, { action: 'list_proof_access', ...params })
      const data = await listAccess(parts, params.qHash, credentials)
      return { success: true, data, timestamp: new Date(parts.now()).toISOString() }
    },
  ),
  route(
    {
      method: 'POST',
      path: '/api/v1/verification/access/withdraw',
      callers: ['signature', 'session', 'access-key'],
      surface: 'proofs',
      body: WithdrawBody,
      rate: 'owner',
      operation: {
        tag,
        operationId: 'withdrawAccess',
        summary: 'Take back what another wallet may read',
        description: `Signed by the owner over ${showAction('withdraw_proof_access')}. Again is not an error; one signature does not end a grant that was made after it.`,
        answer: describeAnswer({
          data: Type.Object({ qHash: Type.String(), viewerWallet: Viewer, wasShared: Type.Boolean() }),
          timestamp: IsoTimestamp,
        }),
        refusals: [400, 401, 403, 404, 409, 413, 415, 503],
        example: accessExamples.withdrawAccess,
      },
    },
    async ({ body, request }) => {
      const { qHash, ownerWallet: walletAddress, viewerWallet, ...signed } = body
      const needed: NeededAction = { action: 'withdraw_proof_access', qHash, viewerWallet }
      const data = await requireOffered({ ...signed, walletAddress }, parts, request, needed)
        .then((offered) => withdrawAccess(parts, qHash, viewerWallet, offered))
        .catch(throwForOwner)
      return { success: true, data, timestamp: new Date(parts.now()).toISOString() }
    },
  ),
]
