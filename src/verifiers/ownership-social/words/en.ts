/** The English words of ownership-social. */
import { joinValue, nameValue } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Social account',
  lead: 'Show that an account at another service is yours.',
  says: 'This account at this service belongs to the owner of this wallet.',
  lacks: { what: 'It needs a service where people sign in.', remedy: 'Add a section such as [social.github].' },
  statement: ['is @{handle} at {provider}'],
  summary: ['@{handle} at {provider}'],
  fields: [
    { label: 'Service', path: 'provider', op: 'eq', hint: 'Such as github. Leave empty for any service.' },
    { label: 'Name of the account', path: 'handle', op: 'eq', hint: 'Leave empty for any account.' },
  ],
  requirement: (criteria) =>
    `has shown ${nameValue('an account', criteria.take('handle'))}${joinValue(' at ', criteria.take('provider'), ' at a social service')}`,
  names: {
    socialUserId: 'Number of the account',
    handle: 'Name of the account',
    profileUrl: 'Page of the account',
    linkTimestamp: 'Signed in at',
  },
}
