import { Type } from '@sinclair/typebox'
import type { TxtAnswer } from '../outside/dns/dns.ts'
import { isEvmAddress, sameAddress } from '../wallet/account.ts'
import { refusing } from './assets/refuse.ts'
import { domainIn, domainMaxLength } from './domain.ts'
import { WalletAddress } from './shapes.ts'
import { defineVerifier, type Fails, fails, holds } from './verifier.ts'

const refuse = refusing('ownership-dns-txt')

/**
 * `ownership-dns-txt`: whoever writes the DNS records of a domain has named the signer in a TXT record of
 * `_svc.<domain>`: `wallet=<address>`, or `wallet=eip155:<chainId>:<address>` where the request gives that chain id in
 * options.verifierOptions. Any one of several records suffices; everything else in them is ignored.
 *
 * Proves control at the moment of the look-up, not of the domains above or below.
 */
export const ownershipDnsTxt = defineVerifier({
  id: 'ownership-dns-txt',
  category: 'ownership',
  description: 'A wallet controls a domain: a TXT record of the domain names it.',
  flow: 'external_lookup',
  expiry: 'point_in_time',
  status: 'domain_ownership_verified',
  allowsDelegatedSubject: false,
  compatibleWith: ['ownership-basic', 'agent-identity'],
  data: Type.Object({
    domain: Type.String({
      minLength: 1,
      maxLength: domainMaxLength + 1,
      description: 'The domain without scheme and path: example.com. Capitals, IDN and a dot at the end are fine.',
    }),
    walletAddress: Type.Optional(WalletAddress),
  }),
  absentWithout: ({ dns }) =>
    dns ? undefined : 'needs a resolver: set dns.resolvers, for example to ["system"] or ["9.9.9.9"]',

  async verify({ subject, data, extras, contractOn }, { now, outside, settings }) {
    const { dns } = outside
    if (!dns) throw new Error('asked without a resolver')
    const named = domainIn(data.domain)
    if ('fault' in named) throw refuse('/domain', `data.domain cannot be looked up: ${named.fault}`)
    const { domain } = named
    const txtName = `${settings.dnsLabel}.${domain}`
    if (txtName.length > domainMaxLength)
      throw refuse(
        '/domain',
        `data.domain is too long: with "${settings.dnsLabel}." before it, it passes ${domainMaxLength} characters`,
      )
    if (data.walletAddress !== undefined && !sameAddress(data.walletAddress, subject))
      return fails('WALLET_MISMATCH', `data.walletAddress is ${data.walletAddress}, but ${subject} signed`)

    const answer = await dns.txt(txtName)
    if (dns.requiresDnssec && !answer.isAuthenticated)
      return fails(
        'DNSSEC_REQUIRED',
        `the answer for ${txtName} is not authenticated, and this server counts only domains that are signed with DNSSEC (dns.require_dnssec): sign the zone, and put its DS record into the zone above`,
      )
    if (answer.outcome !== 'records') return noRecords(answer, txtName, subject)
    const txtRecord = answer.records.find((record) => isFor(record, subject, extras.chainId, contractOn))
    if (txtRecord === undefined) return notListed(answer, txtName, subject)

    return holds({
      input: { domain, walletAddress: subject },
      domain,
      walletAddress: subject,
      txtName,
      txtRecord,
      ttlSeconds: answer.ttlSeconds,
      authenticated: answer.isAuthenticated,
      sources: [answer.source],
      verificationTimestamp: now,
    })
  },

  facts: ['domain'],

  scopeOf: ({ domain }) => String(domain),
})

/** The whole record, so that `wallet=0x…` inside another text does not count. EVM addresses in either spelling. */
function isFor(record: string, wallet: string, chainId: unknown, contractOn: string | undefined): boolean {
  const named = record.startsWith('wallet=') ? record.slice('wallet='.length) : ''
  if (sameAddress(named, wallet)) return true
  const account = accountIn(record)
  if (account === undefined || account.chainId !== chainId || !sameAddress(account.address, wallet)) return false
  // A contract at the same address of another chain may be somebody else's.
  return contractOn === undefined || contractOn === `eip155:${account.chainId}`
}

/** `wallet=eip155:<chainId>:<address>`. */
function accountIn(record: string): { readonly chainId: number; readonly address: string } | undefined {
  const [, chainId, address = ''] = /^wallet=eip155:([1-9][0-9]{0,15}):(0x[0-9a-fA-F]{40})$/.exec(record) ?? []
  return isEvmAddress(address) ? { chainId: Number(chainId), address } : undefined
}

const whatToAdd = (txtName: string, wallet: string): string =>
  `add the TXT record "wallet=${wallet}" at ${txtName}; resolvers may take some minutes to see it`

function noRecords({ outcome, alias }: TxtAnswer, txtName: string, wallet: string): Fails {
  if (alias) {
    const end = alias.end === undefined ? 'in a circle' : `to ${alias.end}, which ${lacks(outcome)}`
    return fails(
      'CNAME_IN_THE_WAY',
      `${txtName} is a CNAME that leads ${end}: a name with a CNAME can have no other record, so replace the CNAME by the TXT record "wallet=${wallet}"; resolvers may take some minutes to see it`,
    )
  }
  return outcome === 'no-such-name'
    ? fails('NO_SUCH_NAME', `there is no name ${txtName} in the DNS: ${whatToAdd(txtName, wallet)}`)
    : fails('NO_TXT_RECORD', `${txtName} has no TXT record: ${whatToAdd(txtName, wallet)}`)
}

const lacks = (outcome: TxtAnswer['outcome']): string =>
  outcome === 'no-such-name' ? 'does not exist' : 'has no TXT record'

function notListed({ records, alias }: Extract<TxtAnswer, { outcome: 'records' }>, txtName: string, wallet: string) {
  const account = records.map(accountIn).find((found) => found && sameAddress(found.address, wallet))
  const toAdd = alias?.end
    ? `${whatToAdd(alias.end, wallet)} (${txtName} is a CNAME that leads there)`
    : whatToAdd(txtName, wallet)
  return fails(
    'WALLET_NOT_LISTED',
    account
      ? `${txtName} names this wallet for the chain ${account.chainId} alone: send ${account.chainId} as options.verifierOptions.chainId, or ${toAdd}`
      : `no TXT record of ${txtName} is for this wallet: ${toAdd}`,
  )
}
