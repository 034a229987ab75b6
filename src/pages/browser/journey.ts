import { agentIdentityId } from '../../verifiers/roles.ts'
/**
 * The progress with one link, kept in this tab, so a reload or going back does not restart it. It holds no secrets: no
 * signatures, no rewards, no content.
 */

export interface Proof {
  readonly qHash: string
  readonly status: string
  readonly walletAddress: string
  readonly portableProof?: object
}

export interface Done {
  readonly verifierId: string
  readonly qHash: string
  readonly wallet: string
  /** As the person typed it. */
  readonly title?: string | undefined
  /** An existing proof that is used again. */
  readonly reused?: boolean
  /** Of a proof that was made here. */
  readonly isPrivate?: boolean
  /** Nobody signed it. */
  readonly isUnsigned?: boolean
  /** agentId and agentWallet, of the agent flow. */
  readonly agent?: Readonly<Record<string, string>>
}

interface Kept {
  done: Record<string, Done>
  /** Fields of forms, by step. */
  values: Record<string, Record<string, string>>
}

export class Journey {
  private readonly key: string
  private kept: Kept

  constructor(link: string) {
    this.key = `proofgate verify ${link}`
    this.kept = { done: {}, values: {}, ...this.read() }
  }

  private read(): Partial<Kept> {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(this.key) ?? '{}')
      return typeof kept === 'object' && kept !== null ? kept : {}
    } catch {
      return {}
    }
  }

  private write(): void {
    try {
      sessionStorage.setItem(this.key, JSON.stringify(this.kept))
    } catch {
      // Without storage, a reload starts over.
    }
  }

  doneAt(step: string): Done | undefined {
    return this.kept.done[step]
  }

  /** The agent, if a step of this link named it. */
  findAgent(): { readonly agentId?: string; readonly agentWallet: string } | undefined {
    const said = Object.values(this.kept.done).find(({ verifierId }) => verifierId === agentIdentityId)
    return said && { ...said.agent, agentWallet: said.wallet }
  }

  finish(step: string, done: Done): void {
    this.kept.done[step] = done
    this.write()
  }

  reopen(step: string): void {
    delete this.kept.done[step]
    this.write()
  }

  valuesAt(step: string): Readonly<Record<string, string>> {
    return this.kept.values[step] ?? {}
  }

  remember(step: string, values: Record<string, string>): void {
    this.kept.values[step] = values
    this.write()
  }

  forget(): void {
    this.kept = { done: {}, values: {} }
    this.write()
  }
}
