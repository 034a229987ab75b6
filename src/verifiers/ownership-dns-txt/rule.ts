import { Type } from '@sinclair/typebox'
import type { TxtAnswer } from '../../outside/dns/dns.ts'
import { type Account, areSameAddress, type ChainContext, isEvmAddress, writeAccount } from '../../wallet/account.ts'
import { makeRefuse } from '../assets/refuse.ts'
import { sharedParameters } from '../check-parameter.ts'
import { domainMaxLength, parseDomain } from '../domain.ts'
import { WalletAddress } from '../shapes.ts'
import { defineVerifier, type Fails, fails, holds } from '../verifier.ts'
import { nameRecordLabel } from './label.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const refuse = makeRefuse('ownership-dns-txt')

/**
 * `ownership-dns-txt`: the owner of a domain's DNS has named the signer in a TXT record of `_svc.<domain>`. For a key
 * that is `wallet=<address>`. It may also be `wallet=eip155:<chainId>:<address>`, if the request is signed for that
 * chain or names it in options.verifierOptions. A contract wallet needs the second form with its signing chain. On
 * another chain, its address may belong to somebody else. One of several records suffices; all other text in them is
 * ignored. Proves control at the moment of the look-up, not of parent domains or subdomains.
 */
export const ownershipDnsTxt = defineVerifier({
  id: 'ownership-dns-txt',
  category: 'ownership',
  description:
    'A wallet controls a domain: a TXT record of the domain names it, wallet=<address>, or for a contract wallet wallet=eip155:<chainId>:<address>.',
  words,
  translations: { de: german },
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

  examine({ subject, data }, { settings }) {
    readPlace(data.domain, nameRecordLabel(settings.brand))
    return data.walletAddress === undefined || areSameAddress(data.walletAddress, subject)
      ? undefined
      : fails('WALLET_MISMATCH', `data.walletAddress is ${data.walletAddress}, but ${subject} signed`)
  },

  async verify({ subject, data, extras, context, contractOn }, { now, outside, settings }) {
    const { dns } = outside
    if (!dns) throw new Error('asked without a resolver')
    const { domain, txtName } = readPlace(data.domain, nameRecordLabel(settings.brand))
    const account = { wallet: subject, contractOn }
    const answer = await dns.txt(txtName)
    if (dns.requiresDnssec && !answer.isAuthenticated)
      return fails(
        'DNSSEC_REQUIRED',
        `the answer for ${txtName} is not authenticated, and this server counts only domains that are signed with DNSSEC (dns.require_dnssec): sign the zone, and put its DS record into the zone above`,
      )
    if (answer.outcome !== 'records') return failNoRecords(answer, txtName, account)
    const txtRecord = answer.records.find((record) =>
      namesAccount(record, account, [extras.chainId, readEvmChainId(context)]),
    )
    if (txtRecord === undefined) return failNotListed(answer, txtName, account)

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

  parameters: {
    domain: sharedParameters.domain,
  },
  facts: ['domain'],

  writeScope: ({ domain }) => String(domain),
})

/** Errors: INVALID_VERIFIER_DATA. */
function readPlace(given: string, label: string): { readonly domain: string; readonly txtName: string } {
  const named = parseDomain(given)
  if ('fault' in named) throw refuse('/domain', `data.domain cannot be looked up: ${named.fault}`)
  const { domain } = named
  const txtName = `${label}.${domain}`
  if (txtName.length > domainMaxLength)
    throw refuse(
      '/domain',
      `data.domain is too long: with "${label}." before it, it passes ${domainMaxLength} characters`,
    )
  return { domain, txtName }
}

/**
 * Compares the whole record, so that `wallet=0x…` inside another text does not count. EVM addresses match in any case.
 * A bare address names a key; a contract wallet is named with its chain.
 */
function namesAccount(record: string, { wallet, contractOn }: Account, chainIds: readonly unknown[]): boolean {
  const account = parseAccountRecord(record)
  if (contractOn !== undefined)
    return (
      account !== undefined && contractOn === `eip155:${account.chainId}` && areSameAddress(account.address, wallet)
    )
  return (
    namesBare(record, wallet) ||
    (account !== undefined && chainIds.includes(account.chainId) && areSameAddress(account.address, wallet))
  )
}

const readEvmChainId = (context: ChainContext): number | undefined =>
  context.chainId ?? (context.chain.startsWith('eip155:') ? Number(context.chain.slice('eip155:'.length)) : undefined)

const namesBare = (record: string, wallet: string): boolean =>
  record.startsWith('wallet=') && areSameAddress(record.slice('wallet='.length), wallet)

/** `wallet=eip155:<chainId>:<address>`. */
function parseAccountRecord(record: string): { readonly chainId: number; readonly address: string } | undefined {
  const [, chainId, address = ''] = /^wallet=eip155:([1-9][0-9]{0,15}):(0x[0-9a-fA-F]{40})$/.exec(record) ?? []
  return isEvmAddress(address) ? { chainId: Number(chainId), address } : undefined
}

const explainRecord = (txtName: string, account: Account): string =>
  `add the TXT record "wallet=${writeAccount(account)}" at ${txtName}; resolvers may take some minutes to see it`

function failNoRecords({ outcome, alias }: TxtAnswer, txtName: string, account: Account): Fails {
  if (alias?.delegatedAt !== undefined && alias.end !== undefined)
    return fails(
      'DNAME_IN_THE_WAY',
      `${alias.delegatedAt} is a DNAME, which leads every name below it elsewhere, ${txtName} to ${alias.end}, which ${lacks(outcome)}: ${explainRecord(alias.end, account)}`,
    )
  if (alias) {
    const end = alias.end === undefined ? 'in a circle' : `to ${alias.end}, which ${lacks(outcome)}`
    return fails(
      'CNAME_IN_THE_WAY',
      `${txtName} is a CNAME that leads ${end}: a name with a CNAME can have no other record, so replace the CNAME by the TXT record "wallet=${writeAccount(account)}"; resolvers may take some minutes to see it`,
    )
  }
  return outcome === 'no-such-name'
    ? fails('NO_SUCH_NAME', `there is no name ${txtName} in the DNS: ${explainRecord(txtName, account)}`)
    : fails('NO_TXT_RECORD', `${txtName} has no TXT record: ${explainRecord(txtName, account)}`)
}

const lacks = (outcome: TxtAnswer['outcome']): string =>
  outcome === 'no-such-name' ? 'does not exist' : 'has no TXT record'

function failNotListed(
  { records, alias }: Extract<TxtAnswer, { outcome: 'records' }>,
  txtName: string,
  account: Account,
): Fails {
  const { wallet, contractOn } = account
  const other = records.map(parseAccountRecord).find((found) => found && areSameAddress(found.address, wallet))
  const add = alias?.end
    ? `${explainRecord(alias.end, account)} (${alias.delegatedAt === undefined ? `${txtName} is a CNAME that` : `${alias.delegatedAt} is a DNAME, and ${txtName}`} leads there)`
    : explainRecord(txtName, account)
  const refuse = (why: string): Fails => fails('WALLET_NOT_LISTED', why)
  if (contractOn !== undefined && records.some((record) => namesBare(record, wallet)))
    return refuse(
      `${txtName} names the bare address, which stands for a key, and this wallet is a contract on ${contractOn}: ${add}`,
    )
  if (contractOn !== undefined && other)
    return refuse(
      `${txtName} names this address on eip155:${other.chainId}, and this wallet is a contract on ${contractOn}, where whose owner need not be the same: ${add}`,
    )
  return refuse(
    other
      ? `${txtName} names this wallet for the chain ${other.chainId} alone: send ${other.chainId} as options.verifierOptions.chainId, or ${add}`
      : `no TXT record of ${txtName} is for this wallet: ${add}`,
  )
}
