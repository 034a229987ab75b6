/** Bundles of verifiers by the names that links to the verification page give them. */

/** Packs, and single verifiers under their older names. */
export const presets: Readonly<Record<string, readonly string[]>> = {
  'agent-pack': ['agent-identity', 'agent-delegation', 'wallet-risk'],
  'workspace-pack': ['ownership-social', 'ownership-basic', 'agent-identity', 'wallet-link'],
  'project-pack': ['contract-ownership', 'ownership-dns-txt'],
  'creator-pack': ['ownership-basic', 'ai-content-moderation'],
  basic: ['ownership-basic'],
  social: ['ownership-social'],
  org: ['ownership-org-oauth'],
  domain: ['ownership-dns-txt'],
  human: ['proof-of-human'],
  nft: ['nft-ownership'],
  holder: ['token-holding'],
  pseudonym: ['ownership-pseudonym'],
  username: ['ownership-pseudonym'],
  'wallet-link': ['wallet-link'],
}
