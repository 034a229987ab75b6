/** The API of claims and gates, as the page of /verify uses it. */
import { ownerActionVerifierId } from '../../verifiers/roles.ts'
import { claim as words } from '../words/en/verify.ts'
import type { Proof } from './journey.ts'
import { call, type Data, Refusal } from './json-api.ts'
import type { Person } from './person.ts'
import type { Connection } from './wallet.ts'

export interface Claim {
  readonly verifierId: string
  readonly data: object
  readonly options: object
}

export type Said = (text: string) => void

type IsCurrent = () => boolean

/** The attempt that asked the wallet no longer counts. */
class Canceled extends Error {}

/** A signed request is valid for five minutes; for this long it is sent again without asking the wallet. */
const signedForMs = 240_000

export class VerifyApi {
  /** How far the server's clock is ahead of this one. */
  private aheadMs: number
  private last: { readonly key: string; readonly at: number; readonly body: object } | undefined

  /** `base` ends in a slash. */
  constructor(
    private readonly base: string,
    serverNow: number,
    private readonly brand: string,
    private readonly appId: string | undefined,
  ) {
    this.aheadMs = serverNow - Date.now()
  }

  now(): number {
    return Date.now() + this.aheadMs
  }

  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Data> {
    return call(this.base + path, { headers })
  }

  /** For answers whose data is a list. */
  async list(path: string): Promise<readonly unknown[]> {
    const data: unknown = await call(this.base + path)
    return Array.isArray(data) ? data : []
  }

  /** The schemas of `data`, by verifier. */
  async catalog(): Promise<Readonly<Record<string, object>>> {
    const response = await fetch(`${this.base}verification/verifiers`)
    const { metadata = {} } = (await response.json()) as { metadata?: Record<string, { dataSchema?: object }> }
    return Object.fromEntries(Object.entries(metadata).map(([id, { dataSchema = {} }]) => [id, dataSchema]))
  }

  /** The headers for reading as an owner. Errors: those of the wallet. */
  async ownerHeaders(
    { address, context, wallet }: Person,
    action: object,
    isCurrent: IsCurrent,
  ): Promise<Record<string, string>> {
    const signedTimestamp = this.now()
    const { signature, signatureMethod } = await this.sign(
      { walletAddress: address, verifierIds: [ownerActionVerifierId], data: action, signedTimestamp, ...context },
      wallet!.connection,
      isCurrent,
    )
    const chain = context.chain ?? (context.chainId === undefined ? undefined : `eip155:${context.chainId}`)
    return {
      'x-wallet-address': address,
      'x-signature': signature,
      'x-signed-timestamp': String(signedTimestamp),
      ...(chain === undefined ? {} : { 'x-chain': chain }),
      ...(signatureMethod === undefined ? {} : { 'x-signature-method': signatureMethod }),
    }
  }

  post(path: string, body: object, csrf?: string): Promise<Data> {
    return call(this.base + path, { body, headers: csrf === undefined ? {} : { 'x-csrf-token': csrf } })
  }

  /** Signs the text of six lines. Errors: Canceled, so that no signature of a canceled attempt is sent. */
  async sign(
    body: object,
    connection: Connection,
    isCurrent: IsCurrent,
  ): Promise<{ signature: string; signatureMethod?: string }> {
    const { signerString } = await call(`${this.base}verification/standardize`, { body, isRead: true })
    if (!isCurrent()) throw new Canceled()
    const signed = await connection.sign(String(signerString))
    if (!isCurrent()) throw new Canceled()
    return signed
  }

  /**
   * Makes the proof. A wallet signs it; a signed-in person need not sign. Errors: Refusal, NoAnswer, Canceled, those of
   * the wallet.
   */
  async prove(
    { verifierId, data, options }: Claim,
    { address, context, wallet }: Person,
    { csrf, say, isCurrent }: { readonly csrf: string | undefined; readonly say: Said; readonly isCurrent: IsCurrent },
  ): Promise<Proof> {
    const claim = { walletAddress: address, verifierIds: [verifierId], data, ...context }
    const asking = () => wallet && say(words.signText(wallet.name))
    const body = wallet ? await this.signed(claim, wallet.connection, { asking, isCurrent }) : claim
    say(words.checking)
    try {
      const headers = {
        ...(wallet || csrf === undefined ? {} : { 'x-csrf-token': csrf }),
        ...(this.appId !== undefined ? { [`x-${this.brand}-app`]: this.appId } : {}),
      }
      const made = await call(`${this.base}verification`, { body: { ...body, options }, headers })
      this.last = undefined
      return made as unknown as Proof
    } catch (error) {
      if (error instanceof Refusal) this.heed(error)
      throw error
    }
  }

  /** Sends the same claim again with its first signature, while that is valid. */
  private async signed(
    claim: object,
    connection: Connection,
    { asking, isCurrent }: { readonly asking: () => void; readonly isCurrent: IsCurrent },
  ): Promise<object> {
    const key = JSON.stringify(claim)
    if (this.last?.key === key && Date.now() - this.last.at < signedForMs) return this.last.body
    const signedTimestamp = this.now()
    const prepared = { ...claim, signedTimestamp }
    asking()
    const body = { ...prepared, ...(await this.sign(prepared, connection, isCurrent)) }
    this.last = { key, at: Date.now(), body }
    return body
  }

  /** Corrects the clock by the time that the server reports. */
  private heed({ code, details }: Refusal): void {
    if (code === 'VERIFICATION_FAILED' || /UNAVAILABLE|RATE_LIMIT/.test(code)) return
    this.last = undefined
    if (code === 'EXPIRED_SIGNATURE' && typeof details.serverTime === 'number')
      this.aheadMs = details.serverTime - Date.now()
  }
}
