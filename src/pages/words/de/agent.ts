/** Die Seite eines Agenten. */
import type * as English from '../en/agent.ts'

export const agentPage: typeof English.agentPage = {
  description: 'Ein Agent, wie ihn seine signierten Nachweise auf diesem Proofgate-Server beschreiben.',
  notice:
    'Die Wallet unten hat all dies über ihren Agenten signiert. Dieser Server hat die Signatur geprüft, aber nicht, ob es stimmt.',
  id: 'Kennung des Agenten',
  wallet: 'Wallet',
  abilities: 'Er sagt, dass er dies kann',
  skills: 'Fähigkeiten',
  service: (name) => `Dienst ${name}`,
  identityProof: 'Nachweis seiner Identität',
  controllers: 'Wer ihn handeln lässt',
  relation: 'Verhältnis',
  own: 'Die Wallet des Agenten selbst',
  linked: 'Mit der Wallet des Agenten verknüpft. Beide haben das signiert.',
  purpose: 'Zweck',
  until: 'Bis',
  revoked: 'Sie widerrufen wird',
  delegationProof: 'Nachweis dieser Erlaubnis',
  claims: 'Was andere sagen',
  claimsNotice:
    'Jede dieser Wallets sagt, dass sie den Agenten handeln lässt. Das darf jeder sagen. Nichts zeigt, dass der Agent zugestimmt hat.',
  nobody: 'Keine Wallet sagt das öffentlich.',
  more: 'Es kann mehr Erlaubnisse geben, als diese Seite nennt.',
  which: 'Welcher Agent?',
  whichLead: (id) =>
    `Mehrere Wallets nennen ihren Agenten „${id}“, und das darf jede. Öffnen Sie den, dessen Wallet Sie kennen.`,
  programs: 'Für Programme',
  copyCommand: 'Befehl kopieren',
}
