/** The English words of ownership-dns-txt. */
import { nameValue } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Domain',
  lead: 'Show that you control a domain by adding a DNS record.',
  says: 'The owner of this wallet controls this domain.',
  lacks: { what: 'It needs a DNS resolver.', remedy: 'Set dns.resolvers, for example to ["system"].' },
  statement: ['controls the domain {domain}'],
  summary: ['{domain}'],
  fields: [{ label: 'Domain', path: 'domain', op: 'eq', hint: 'Leave empty for any domain.' }],
  requirement: (criteria) => `controls ${nameValue('a domain', criteria.take('domain'), 'the domain')}`,
  names: {
    domain: 'Domain',
    txtName: 'Name of the record',
    txtRecord: 'Record',
    ttlSeconds: 'Record is kept for seconds',
    authenticated: 'Signed with DNSSEC',
  },
}

/** The words of the form. */
export const form = {
  submit: 'Check the record now',
  domain: 'Domain',
  domainHint: 'For example example.com',
  addRecord: 'Add a TXT record where you manage the domain:',
  name: 'Name ',
  value: 'Value ',
  wait: 'It can take some minutes until the record is visible. You can remove it afterwards.',
}
