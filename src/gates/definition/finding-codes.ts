/**
 * The code of each finding, the values that its sentence needs, and the English message of the API. Pages have words
 * of their own for each code (pages/words/en/gate-findings.ts), because a message speaks of members and paths.
 */
import { explainNothingSeen, explainUnseen, type Unseen } from '../../plain-label.ts'

type None = Readonly<Record<never, never>>
/** What stands there, where it is of another kind: `a list`. */
interface Kind {
  readonly found?: string
}
/** The known name that is most like the unknown one. */
interface Meant {
  readonly meant?: string
}
interface Most {
  readonly most: number
}
interface Least {
  readonly least: number
}
interface Counted extends Most {
  readonly count: number
}

export interface FindingValues {
  MISSING: None
  UNKNOWN_MEMBER: Meant
  EMPTY: None
  TOO_LONG: Most
  TOO_FEW: Least
  TOO_MANY: Most
  REPEATED: None
  NOT_ONE_OF: Kind & { readonly choices: string }
  NOT_TEXT: Kind
  NOT_BOOLEAN: Kind
  NOT_OBJECT: Kind
  NOT_LIST: Kind
  NOT_WHOLE_NUMBER: Kind & Most & Least
  /** `member` is the name of the wrong value, whose form pages describe in words of their own. */
  NOT_OF_FORM: Kind & { readonly form: string; readonly member: string }
  OTHER_SHAPE: { readonly why: string }

  RULE_NODE: None
  RULE_TOO_DEEP: Most
  RULE_TOO_LARGE: Most
  RULE_UNKNOWN_ID: { readonly ids: string }

  RESERVED_ID: None
  ID_TAKEN: { readonly why: string }
  NOT_PUBLISHABLE: { readonly why: string }
  CONTROL_CHARACTER: Unseen
  ONLY_SPACES: None
  HALF_CHARACTER: None
  REPEATED_ID: { readonly id: string; readonly first: number }
  CONDITION_EMPTY: None
  CONDITION_NOT_NUMBER: { readonly op: string }
  ALL_OPTIONAL: None
  GUEST_LIST_MEMBER: None
  SECOND_GUEST_LIST: None
  NOT_IN_RULE: { readonly id: string }
  NO_SUCH_MOMENT: None
  ENDS_BEFORE_START: None
  ENDED: None
  LIMIT_ABOVE_SUPPLY: None
  PRICE_ZERO: None
  VALUE_NOT_WANTED: None
  VALUE_MISSING: { readonly kind: string }
  LISTING_NOT_PUBLIC: { readonly visibility: string }
  ADDRESS_NOT_WHOLE: None
  ADDRESS_WITH_USER: None
  ADDRESS_NOT_HTTPS: None
  ADDRESS_MISSPELLED: None

  DEFINITION_TOO_LARGE: Most & { readonly bytes: number }
  TOO_MANY_CONDITIONS: Counted
  CONDITIONS_TOO_LARGE: Most & { readonly bytes: number }
  TOO_MANY_PROOFS: Counted
  TOO_MANY_RECHECKS: Counted

  NO_CHAIN_STATE: { readonly able: string; readonly verifierId: string }
  SUBJECT_PATH: None
  NO_SUBJECT: { readonly verifierId: string }
  NOT_ACCOUNT: { readonly path: string }
  CHAIN_NOT_COMPARED: { readonly path: string; readonly verifierId: string }

  UNKNOWN_VERIFIER: Meant & { readonly why: string }
  VERIFIER_NOT_OFFERED: { readonly why: string }
  METHOD_NOT_SET_UP: { readonly method: string; readonly why: string }
  METHOD_PRICE: { readonly method: string; readonly why: string }

  KEPT_VALUE_FORM: None
  KEPT_VALUE_SEALED: None
  KEPT_VALUE_GONE: None
  KEPT_VALUE_OTHER_KIND: None
  KEPT_VALUE_TWICE: None

  REPEATED_GATE_ID: { readonly first: number }
  BECAUSE_WITHOUT_FAIL: None
  EXAMPLE_PROOF: None
  SEVERAL_VALUES: None
  VALUE_UNREADABLE: { readonly why: string }
  UNREADABLE_TEXT: { readonly why: string }
}

export type FindingCode = keyof FindingValues

/** A sentence for each code: the messages of the API, and the words of a language. */
export type FindingWords = { readonly [Code in FindingCode]: (values: FindingValues[Code]) => string }

const addKind = (rule: string, { found }: Kind): string => (found === undefined ? rule : `${rule}, and is ${found}`)
const tellWhy = ({ why }: { readonly why: string }): string => why

/** Completes the sentence that begins with the path: `requirements[0].verifierId` `is missing`. */
export const findingMessages: FindingWords = {
  MISSING: () => 'is missing',
  UNKNOWN_MEMBER: () => 'does not exist',
  EMPTY: () => 'is empty',
  TOO_LONG: ({ most }) => `is longer than ${most} characters`,
  TOO_FEW: ({ least }) => `needs at least ${least} ${least === 1 ? 'entry' : 'entries'}`,
  TOO_MANY: ({ most }) => `has more than ${most} entries`,
  REPEATED: () => 'names something twice',
  NOT_ONE_OF: (values) => addKind(`must be one of ${values.choices}`, values),
  NOT_TEXT: (values) => addKind('must be a text', values),
  NOT_BOOLEAN: (values) => addKind('must be true or false', values),
  NOT_OBJECT: (values) => addKind('must be an object with members', values),
  NOT_LIST: (values) => addKind('must be a list', values),
  NOT_WHOLE_NUMBER: (values) => addKind(`must be a whole number from ${values.least} to ${values.most}`, values),
  NOT_OF_FORM: (values) => addKind(`must be ${values.form}`, values),
  OTHER_SHAPE: ({ why }) => `is not right: ${why}`,

  RULE_NODE: () => 'must be the id of a requirement, or an object with either "all" or "any"',
  RULE_TOO_DEEP: ({ most }) => `is nested deeper than ${most} levels`,
  RULE_TOO_LARGE: ({ most }) => `has more than ${most} parts`,
  RULE_UNKNOWN_ID: ({ ids }) => `names a requirement that does not exist: use ${ids}`,

  RESERVED_ID: () => 'is a reserved word: choose another',
  ID_TAKEN: ({ why }) => `cannot be published: ${why}`,
  NOT_PUBLISHABLE: ({ why }) => `cannot be published: ${why}`,
  CONTROL_CHARACTER: explainUnseen,
  ONLY_SPACES: () => explainNothingSeen,
  HALF_CHARACTER: () => 'holds half of a surrogate pair, which is not valid text',
  REPEATED_ID: ({ id, first }) => `is "${id}", the id of requirements[${first}]: choose another`,
  CONDITION_EMPTY: () => 'is empty: give a value, or leave the condition out',
  CONDITION_NOT_NUMBER: ({ op }) => `must be a number such as "80" or "0.5" for ${op}`,
  ALL_OPTIONAL: () => 'are all optional: any one of them is enough',
  GUEST_LIST_MEMBER: () => 'is about proofs, and guest-list asks for none: leave it out',
  SECOND_GUEST_LIST: () => 'is a second guest list: a gate has one',
  NOT_IN_RULE: ({ id }) => `("${id}") is not named in rule: name it there, or make it optional`,
  NO_SUCH_MOMENT: () => 'is not an existing day and time',
  ENDS_BEFORE_START: () => 'must come after schedule.startsAt',
  ENDED: () => 'is over: nobody can pass any more',
  LIMIT_ABOVE_SUPPLY: () => 'is more than supply',
  PRICE_ZERO: () => 'is zero: leave price out if the gate is free',
  VALUE_NOT_WANTED: () => 'must be left out: access_granted hands out only the receipt',
  VALUE_MISSING: ({ kind }) => `is missing: ${kind} hands out ${kind === 'reveal' ? 'a text' : 'an address'}`,
  LISTING_NOT_PUBLIC: ({ visibility }) =>
    `is not possible: policy.visibility is ${visibility}, and only a public gate is listed`,
  ADDRESS_NOT_WHOLE: () => 'must be a whole address such as https://example.com/welcome',
  ADDRESS_WITH_USER: () => 'must hold no user name and no password',
  ADDRESS_NOT_HTTPS: () => 'must begin with https:// (http:// only on localhost)',
  ADDRESS_MISSPELLED: () => 'must be written in full, https:// and the host: no space, no backslash, nothing left out',

  DEFINITION_TOO_LARGE: ({ bytes, most }) => `has ${bytes} bytes as JSON, and the limit is ${most}: shorten its texts`,
  TOO_MANY_CONDITIONS: ({ count, most }) => `hold ${count} conditions, and the limit is ${most}: split the gate`,
  CONDITIONS_TOO_LARGE: ({ bytes, most }) =>
    `hold ${bytes} bytes of conditions, and the limit is ${most}: shorten their values`,
  TOO_MANY_PROOFS: ({ count, most }) => `ask for ${count} proofs together, and the limit is ${most}: lower minCount`,
  TOO_MANY_RECHECKS: ({ count, most }) =>
    `have ${count} proofs read again for each fulfillment, and the limit is ${most}: lower minCount, or remove recheck from some`,

  NO_CHAIN_STATE: ({ able, verifierId }) =>
    `works only with verifiers that read a chain (${able}): leave it out for ${verifierId}`,
  SUBJECT_PATH: () => 'is compared with nothing under this path: give the path as subjectWallet',
  NO_SUBJECT: ({ verifierId }) =>
    `is compared with nothing: a proof of ${verifierId} is about the wallet that signed it, never about a subjectWallet`,
  NOT_ACCOUNT: ({ path }) => `must be an address, a did:pkh or a CAIP-10 account such as eip155:8453:0x… for ${path}`,
  CHAIN_NOT_COMPARED: ({ path, verifierId }) =>
    `names a chain, and ${path} of ${verifierId} is compared as an address alone: give the bare address`,

  UNKNOWN_VERIFIER: ({ why }) => `is unknown: ${why}`,
  VERIFIER_NOT_OFFERED: ({ why }) => `cannot be proved here now: ${why}`,
  METHOD_NOT_SET_UP: ({ method, why }) => `"${method}" cannot be used: it ${why}`,
  METHOD_PRICE: ({ method, why }) => `"${method}" cannot be used: it ${why}`,

  KEPT_VALUE_FORM: () =>
    'must be {"version", "reward"}: the number of a version, and the place of a reward in it from 0',
  KEPT_VALUE_SEALED: () => 'names a value that does not open with the key of this server: give it again',
  KEPT_VALUE_GONE: () => 'names a value that is not there: give the value',
  KEPT_VALUE_OTHER_KIND: () => 'is of a reward of another kind: give the value',
  KEPT_VALUE_TWICE: () => 'is there beside a value: leave one of them out',

  REPEATED_GATE_ID: ({ first }) => `is the id of gates[${first}]: choose another`,
  BECAUSE_WITHOUT_FAIL: () => 'works only in cases with expect = "fail"',
  EXAMPLE_PROOF: () => 'needs either a verifier with its data, or the rows of several verifiers',
  SEVERAL_VALUES: () => 'has more than one of value, valueEnv and valueFile',
  VALUE_UNREADABLE: tellWhy,
  UNREADABLE_TEXT: tellWhy,
}
