/**
 * The client module, with which programs call a Proofgate in browsers, Node, Bun and Deno. It is served at /client.js
 * as one file without dependencies. It knows only the interface, and nothing of the server. module.d.ts, which is
 * served with it, documents its functions.
 */
import { writeCanonicalJson } from '../envelope/canonical-json.ts'
import { writeSignerString } from '../envelope/signer-string.ts'
import type { ChainContext } from '../wallet/account.ts'
import { ProofgateError } from './error.ts'
import type {
  CallOptions,
  Client,
  ClientOptions,
  Fulfilment,
  PaymentDue,
  QueryValue,
  ReadOptions,
  RequestOptions,
  SignedClaim,
  VerifierCatalog,
} from './module.d.ts'
import { type Action, makeOwners, writeHeaders } from './owner.ts'
import { pollAnswer } from './poll.ts'
import { makeSender } from './request.ts'

export { ProofgateError } from './error.ts'
export type * from './module.d.ts'
export { verifyEnvelope } from './offline.ts'
export { ethereumSigner, solanaSigner } from './signers.ts'

type Query = Readonly<Record<string, QueryValue>>

const api = '/api/v1/'

const part = encodeURIComponent

export function createClient(options: ClientOptions): Client {
  const request = makeSender(options)
  const { time, learns, act } = makeOwners(options)

  /** A call of an owner, who signs in the headers. */
  const call = <T>(
    method: string,
    path: string,
    action: Action,
    { signer, signal }: ReadOptions = {},
    more: RequestOptions = {},
  ): Promise<T> =>
    act(signer, action, (owner) =>
      request<T>(method, api + path, { ...more, signal, headers: { ...more.headers, ...writeHeaders(owner) } }),
    )
  const read = async <T>(path: string, action: Action, options?: ReadOptions, query?: Query): Promise<T> =>
    (await call<{ data: T }>('GET', path, action, options, { query })).data
  const post = async <T>(path: string, body: object, options?: CallOptions): Promise<T> =>
    (await request<{ data: T }>('POST', api + path, { ...options, body })).data

  const client: Client = {
    request,

    standardize: (claim, options) => post('verification/standardize', claim, options),

    async sign(signer, claim, { prepared, signal } = {}) {
      const { chain, signatureMethod } = signer
      // The data as JSON transmits it: exactly that is signed.
      const body: SignedClaim = {
        walletAddress: signer.address,
        signedTimestamp: time(),
        ...(claim.chainId === undefined && { chain }),
        signatureMethod,
        ...JSON.parse(JSON.stringify(claim)),
      }
      const { walletAddress, signedTimestamp, verifierIds } = body
      const { signerString: text, bodyPreview } = prepared ?? (await client.standardize(body, { signal }))
      const context: ChainContext = body.chain
        ? { chain: body.chain }
        : { chainId: (body.chainId ?? bodyPreview?.chainId)! }
      const canonicalData = writeCanonicalJson(body.data)
      if (text !== writeSignerString({ walletAddress, verifierIds, canonicalData, signedTimestamp, context }))
        throw new ProofgateError(
          'NOT_OURS',
          'the server returned a text that does not match this claim: nothing was signed',
          {
            status: 200,
            details: { signerString: text },
          },
        )
      return { ...body, signature: await signer.sign(text) }
    },

    submit: (claim, options) => post('verification', claim, options),

    async prove(signer, claim, options) {
      const attempt = async () => client.submit(await client.sign(signer, claim, options), options)
      try {
        return await attempt()
      } catch (error) {
        if (claim.signedTimestamp !== undefined || !learns(error)) throw error
        return attempt()
      }
    },

    poll: (qHash, options = {}) => pollAnswer(() => client.proof(qHash, options), options),

    proof: (qHash, options) =>
      read(`proofs/${part(qHash)}`, ['access_private_proof', { qHash }], options, {
        latestScope: options?.latestScope,
      }),

    list: (wallet, { signer, signal, ...query } = {}) =>
      read(`proofs/by-wallet/${part(wallet)}`, ['access_private_proofs_by_wallet'], { signer, signal }, query),

    async *listAll(wallet, options) {
      let cursor = options?.cursor
      do {
        const page = await client.list(wallet, { ...options, cursor })
        yield* page.proofs
        cursor = page.nextCursor
      } while (cursor)
    },

    check: (criteria, options) =>
      read(
        'proofs/check',
        ['gate_check_private_proofs'],
        options,
        options?.signer ? { address: options.signer.address, includePrivate: true, ...criteria } : criteria,
      ),

    gate: async (gateId, options) =>
      (await read<{ gate: never }>(`profile/gates/${part(gateId)}`, ['list_gates'], options)).gate,

    async quote(gateId, qHash, options) {
      const body = { gateId, qHash }
      return (await call<{ data: never }>('POST', 'payments/quote', ['open_quote', body], options, { body })).data
    },

    async fulfil(gateId, { paymentSignature, ...body }, options) {
      try {
        const { data } = await call<{ data: Fulfilment }>(
          'POST',
          `profile/gates/${part(gateId)}/fulfill`,
          ['fulfill_gate', { gateId, qHash: body.qHash }],
          options,
          { body, ...(paymentSignature && { headers: { 'payment-signature': paymentSignature } }) },
        )
        return { ...data, fulfilled: true }
      } catch (error) {
        if (!(error instanceof ProofgateError && error.code === 'PAYMENT_REQUIRED')) throw error
        const { details, retryAfterSeconds, message } = error
        return { ...details, retryAfterSeconds, message, fulfilled: false } as PaymentDue
      }
    },

    revoke: (qHash, options) =>
      call('POST', `proofs/revoke-self/${part(qHash)}`, ['revoke_proof', { qHash }], options, { body: {} }),

    erase: (signer, options) =>
      call('POST', 'proofs/erase-all', ['erase_all_proofs'], { ...options, signer }, { body: {} }),

    async verifiers(options) {
      const { data, ...more } = await request<Catalog>('GET', `${api}verification/verifiers`, options)
      return { ...more, ids: data }
    },

    health: async (options) => (await request<{ data: never }>('GET', `${api}health`, options)).data,
  }
  return client
}

type Catalog = Omit<VerifierCatalog, 'ids'> & { readonly data: VerifierCatalog['ids'] }
