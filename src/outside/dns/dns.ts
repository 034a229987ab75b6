/** The interface to the DNS. */
export interface Dns {
  /**
   * The TXT records of a name in ASCII form, by the first resolver that answers. Errors: OutsideError when none does.
   * An unsigned domain is an answer, even with `requiresDnssec`: the caller has to refuse it.
   */
  txt(name: string): Promise<TxtAnswer>
  /** dns.require_dnssec: only an answer with `isAuthenticated` may count. */
  readonly requiresDnssec: boolean
}

export type TxtAnswer = TxtOutcome & {
  /** Setting path of the resolver that answered: `dns.resolvers[0]`. */
  readonly source: string
}

export type TxtOutcome = {
  /**
   * The resolver says that it validated the answer (AD, RFC 4035). The flag is as trustworthy as the resolver and the
   * connection to it.
   */
  readonly isAuthenticated: boolean
  /** The name is an alias (CNAME). `end` is the name it leads to, through others too; undefined for a loop. */
  readonly alias?: {
    readonly end: string | undefined
    /** The name above it that is a DNAME: it makes all names below it such aliases. */
    readonly delegatedAt?: string
  }
} & (
  | {
      readonly outcome: 'records'
      /** One entry for each record: its strings joined without a space, as RFC 7208 section 3.3 does. */
      readonly records: readonly string[]
      /** The shortest TTL of the records and of the aliases that led to them. */
      readonly ttlSeconds: number
    }
  | { readonly outcome: 'no-records' | 'no-such-name' }
)
