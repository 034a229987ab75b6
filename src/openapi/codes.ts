/**
 * The error codes an operation may give, status by status: those that every operation with this status gives, and what
 * an operation has besides. Tests hold every refusal they see against this.
 */
import { type ErrorCode, errorKinds } from '../errors.ts'
import { takesSignature } from './callers.ts'
import type { Operation } from './clean.ts'

const usual: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: ['VALIDATION_ERROR'],
  401: ['WALLET_AUTH_REQUIRED'],
  402: ['PAYMENT_REQUIRED'],
  403: ['FORBIDDEN'],
  404: ['NOT_FOUND'],
  409: ['CONFLICT'],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  429: ['RATE_LIMIT_EXCEEDED'],
  431: ['HEADERS_TOO_LARGE'],
  500: ['INTERNAL_ERROR'],
  503: ['SERVICE_UNAVAILABLE', 'STORAGE_FULL'],
}

/** Where a wallet signs. A contract wallet is asked on its chain, which may not answer. */
const ofSignatures: readonly ErrorCode[] = [
  'INVALID_WALLET_ADDRESS',
  'EXPIRED_SIGNATURE',
  'SIGNATURE_INVALID',
  'VERIFIER_UNAVAILABLE',
]

const ofClaims: readonly ErrorCode[] = [
  'INVALID_WALLET_ADDRESS',
  'VERIFIER_NOT_FOUND',
  'INVALID_VERIFIER_DATA',
  'INVALID_VERIFIER_COMBINATION',
  'INVALID_VERIFIER_FLOW_COMBINATION',
]

/** What is named is looked at: a wallet must be one, a gate must be here, a definition must make sense. */
const ofMembers: Readonly<Record<string, readonly ErrorCode[]>> = {
  'path gateId': ['GATE_NOT_FOUND'],
  'body definition': ['GATE_MISCONFIGURED'],
  'body walletAddress': ['INVALID_WALLET_ADDRESS'],
  'query walletAddress': ['INVALID_WALLET_ADDRESS'],
  'query agentWallet': ['INVALID_WALLET_ADDRESS'],
}

const membersOf = ({ parameters = [], requestBody }: Operation): readonly string[] => [
  ...parameters.map((one) => `${one.in} ${one.name}`),
  ...Object.keys(requestBody?.content['application/json']?.schema.properties ?? {}).map((name) => `body ${name}`),
]

/** Where somebody wants to pass a gate with a proof. */
const ofPassing: readonly ErrorCode[] = [
  'GATE_NOT_FOUND',
  'PROOF_NOT_FOUND',
  'GATE_NOT_STARTED',
  'GATE_ENDED',
  'PROOF_NOT_VERIFIED',
  'GATE_MISCONFIGURED',
  'GATE_REQUIREMENTS_NOT_MET',
  'GATE_CHECK_INCOMPLETE',
  'GATE_SOLD_OUT',
  'GATE_LIMIT_REACHED',
]

const besides: Readonly<Record<string, readonly ErrorCode[]>> = {
  standardize: [...ofClaims, 'VERIFICATION_FAILED'],
  diagnose: ofClaims,
  verify: [...ofClaims, 'VERIFICATION_FAILED'],
  createSecret: ['INVALID_WALLET_ADDRESS'],
  createSponsorGrant: ['INVALID_WALLET_ADDRESS'],
  signIn: ofSignatures,
  startSocialSignIn: ['VERIFIER_UNAVAILABLE'],
  exchangeSocialSignIn: ['VERIFICATION_FAILED'],
  checkProofs: ['GATE_NOT_FOUND', 'VERIFIER_NOT_FOUND'],
  checkProofsOlder: ['GATE_NOT_FOUND', 'INVALID_WALLET_ADDRESS', 'VERIFIER_NOT_FOUND'],
  rollbackGate: ['GATE_MISCONFIGURED'],
  setGateStatus: ['GATE_MISCONFIGURED'],
  testGate: ['GATE_NOT_FOUND', 'INVALID_WALLET_ADDRESS'],
  fulfillGate: [...ofPassing, 'FULFILLMENT_SUSPENDED', 'PAYMENT_ALREADY_USED'],
  openCheckout: ofPassing,
  openQuote: ofPassing,
  hearStripeEvent: ['SIGNATURE_INVALID', 'EXPIRED_SIGNATURE'],
}

/** `name` is that of the operation, or of the newer one whose older path it is. */
export function codesOf(operation: Operation, name: string, status: number): readonly ErrorCode[] {
  const all = [
    ...(usual[status] ?? []),
    ...(takesSignature(operation) ? ofSignatures : []),
    ...membersOf(operation).flatMap((member) => ofMembers[member] ?? []),
    ...(besides[name] ?? []),
  ]
  return [...new Set(all)].filter((code) => errorKinds[code].status === status)
}
