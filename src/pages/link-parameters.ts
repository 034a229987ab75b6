/** The parameters that links to the hosted pages have, and what is wrong with one of them. */

export const known = [
  'verifiers',
  'preset',
  'gateId',
  'returnUrl',
  'mode',
  'origin',
  'state',
  'code_challenge',
  'code_challenge_method',
  'oauthProvider',
  'appId',
  'billingWallet',
  'connect',
  'presetLabel',
  'message',
  'expectedOrgDomain',
  'agentId',
  'agentWallet',
  'controllerWallet',
  'agentLabel',
  'agentType',
  'scope',
  'expiresAt',
  'maxSpend',
  'prefillDelegationDefaults',
  'prefillAllowedActions',
  'prefillDeniedActions',
  'prefillRuntimePolicy',
  'prefillApprovalPolicy',
  'paymentCheckoutSessionId',
  'oauthState',
  'oauthError',
] as const
export type Name = (typeof known)[number]

/** `parameter` is to blame; `why` ends the sentence that begins with its name. */
export interface Fault {
  readonly parameter: string
  readonly why: string
}

export class Faulty extends Error {
  constructor(readonly fault: Fault) {
    super()
  }
}

export type Get = (name: Name) => string | undefined
export type Refuse = (parameter: string, why: string) => Faulty

/** Control characters other than line breaks, and those that turn the direction of what follows. */
export const hasHidden = (text: string): boolean => /[^\P{C}\n\r\t]|[\u2028\u2029]/u.test(text.replace(/\u200d/g, ''))

type Present<T> = { [Key in keyof T]: Exclude<T[Key], undefined> }

export function keepPresent<T extends object>(members: T): Present<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>
}
