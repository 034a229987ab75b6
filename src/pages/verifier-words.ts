/** What each verifier is called on the pages, and what it asks of a person. */
import type { VerifierSettings } from '../verifiers/verifier.ts'

export interface VerifierWords {
  readonly title: string
  readonly lead: string
}

export const verifierWords: Readonly<Record<string, VerifierWords>> = {
  'ownership-basic': {
    title: 'Claim content',
    lead: 'Put your name to a text or a file. It shows who claimed it and when, not that nobody claimed it before.',
  },
  'ownership-social': { title: 'Social account', lead: 'Show that an account at another service is yours.' },
  'ownership-pseudonym': { title: 'Pseudonym', lead: 'Take a name here that nobody else can have.' },
  'ownership-dns-txt': { title: 'Domain', lead: 'Show that you control a domain, with a record in its DNS.' },
  'ownership-licensed': { title: 'Licensed content', lead: 'Claim content under a licence that is an NFT.' },
  'ownership-org-oauth': { title: 'Organisation', lead: 'Show that you belong to an organisation.' },
  'contract-ownership': { title: 'Smart contract', lead: 'Show that your wallet controls a smart contract.' },
  'proof-of-human': { title: 'Human being', lead: 'Show that you are a person, without saying who.' },
  'nft-ownership': { title: 'NFT', lead: 'Show that your wallet holds an NFT, at this moment.' },
  'token-holding': { title: 'Token balance', lead: 'Show that your wallet holds at least so much of a token.' },
  'wallet-risk': { title: 'Wallet check', lead: 'Have your wallet looked up in lists of sanctioned and risky ones.' },
  'wallet-link': { title: 'Second wallet', lead: 'Show that two wallets belong together. Both sign.' },
  'ai-content-moderation': { title: 'Content check', lead: 'Have a text or a picture judged for harmful content.' },
  'agent-identity': { title: 'Agent', lead: 'An agent, bot or service says who it is. Its own wallet signs.' },
  'agent-delegation': {
    title: 'Permission for an agent',
    lead: 'Let an agent act for your wallet, as far as you say.',
  },
}

export const wordsFor = (id: string): VerifierWords => verifierWords[id] ?? { title: id, lead: '' }

const dayMs = 86_400_000

/** What a setting adds, where it takes something away that the words promise. */
const leadsUnder: Readonly<Record<string, (settings: VerifierSettings) => string>> = {
  'ownership-pseudonym': ({ pseudonymTtlMs }) => {
    const days = pseudonymTtlMs / dayMs
    return days > 0 ? ` You hold it for ${days} ${days === 1 ? 'day' : 'days'}; then anybody may take it.` : ''
  },
}

/** The words on a server with these settings. */
export function writeServerWords(id: string, settings: VerifierSettings): VerifierWords {
  const { title, lead } = wordsFor(id)
  return { title, lead: `${lead}${leadsUnder[id]?.(settings) ?? ''}` }
}

/** After the name of a claim, and a colon. */
export function stateOfRow({ verified, status }: { readonly verified: boolean; readonly status: string }): string {
  if (verified) return 'holds'
  return status === 'expired' || status === 'revoked' ? status : 'does not hold'
}
