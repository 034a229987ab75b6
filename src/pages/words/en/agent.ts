/** The page of an agent. */

export const agentPage = {
  description: 'An agent, as its signed proofs on this Proofgate server describe it.',
  notice:
    'The wallet below signed all of this about its agent. This server checked the signature, but not whether it is true.',
  id: 'Id of the agent',
  wallet: 'Wallet',
  abilities: 'It says that it can',
  skills: 'Skills',
  service: (name: string) => `Service ${name}`,
  identityProof: 'Proof of its identity',
  controllers: 'Who lets it act',
  relation: 'Relation',
  own: 'The wallet of the agent itself',
  linked: 'Linked to the wallet of the agent. Both signed this.',
  purpose: 'Purpose',
  until: 'Until',
  revoked: 'It is revoked',
  delegationProof: 'Proof of this permission',
  claims: 'What others say',
  claimsNotice:
    'Each of these wallets says that it lets the agent act. Anyone may say so. Nothing shows that the agent agreed.',
  nobody: 'No wallet says so in public.',
  more: 'There may be more permissions than this page lists.',
  which: 'Which agent?',
  whichLead: (id: string) =>
    `Several wallets call their agent “${id}”, and anyone may. Open the one whose wallet you know.`,
  programs: 'For programs',
  copyCommand: 'Copy the command',
}
