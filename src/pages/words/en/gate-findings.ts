/** A sentence for each finding about a gate. It stands under its field, or after the label of the field. */
import type { FindingWords } from '../../../gates/definition/finding-codes.ts'
import type { LineFaultCode } from '../../../gates/guests/read-lines.ts'

/** By the name of the member. */
const forms: Readonly<Record<string, string>> = {
  gateId: 'Use 1 to 80 letters, digits and : _ -',
  id: 'Use 1 to 32 letters, digits and _ -',
  path: 'Write names with dots between them, such as input.contractAddress.',
  startsAt: 'Enter a day and a time.',
  endsAt: 'Enter a day and a time.',
  amountUsd: 'Enter an amount such as 4.99.',
  recipient: 'Enter an address with 0x and 40 digits.',
}

/** By the end of the path: what a list or a choice lacks. */
const lacking: Readonly<Record<string, string>> = {
  requirements: 'Add at least one requirement.',
  verifierId: 'Choose what to ask for.',
  any: 'Add at least one requirement to the group.',
  all: 'Add at least one requirement to the group.',
  methods: 'Choose at least one way to pay.',
  gates: 'The file needs at least one gate.',
}

const sentences: FindingWords = {
  MISSING: () => 'Fill this in.',
  UNKNOWN_MEMBER: ({ meant }) =>
    meant === undefined ? 'A gate has no such field. Remove it.' : `A gate has no such field. Did you mean ${meant}?`,
  EMPTY: () => 'Fill this in.',
  TOO_LONG: ({ most }) => `Use at most ${most} characters.`,
  TOO_FEW: ({ least }) => (least === 1 ? 'Add at least one.' : `Add at least ${least}.`),
  TOO_MANY: ({ most }) => `At most ${most} may be here.`,
  REPEATED: () => 'One entry is there twice. Remove one.',
  NOT_ONE_OF: ({ choices }) => `Use one of these words: ${choices}.`,
  NOT_TEXT: () => 'Enter a text.',
  NOT_BOOLEAN: () => 'Enter true or false.',
  NOT_OBJECT: () => 'Write its fields in { and }.',
  NOT_LIST: () => 'Write its entries in [ and ].',
  NOT_WHOLE_NUMBER: ({ least, most, found }) =>
    found === undefined ? `Enter a whole number from ${least} to ${most}.` : 'Enter a whole number, such as 10.',
  NOT_OF_FORM: ({ member, form }) => forms[member] ?? `It must be ${form}.`,
  OTHER_SHAPE: () => 'This value cannot stand here.',

  RULE_NODE: () => 'Name a requirement, or write a group with either “all” or “any”.',
  RULE_TOO_DEEP: ({ most }) => `At most ${most} groups may stand inside each other.`,
  RULE_TOO_LARGE: ({ most }) => `The groups may have at most ${most} parts.`,
  RULE_UNKNOWN_ID: ({ ids }) => `A group names a requirement that does not exist. Use ${ids}.`,

  RESERVED_ID: () => 'This id is reserved. Choose another.',
  ID_TAKEN: () => 'Another owner has this id. Choose another.',
  NOT_PUBLISHABLE: () => 'This gate has changed, or has no room for another version. Reload the page.',
  CONTROL_CHARACTER: ({ character, position, isBreak }) =>
    isBreak
      ? `Remove the line break at position ${position}.`
      : `Remove the invisible character at position ${position} (${character}).`,
  ONLY_SPACES: () => 'Write a text with a letter, a digit or a symbol.',
  HALF_CHARACTER: () => 'It has a broken character. Type the text again.',
  REPEATED_ID: () => 'Another requirement has this id. Choose another.',
  CONDITION_EMPTY: () => 'Fill this in, or remove the condition.',
  CONDITION_NOT_NUMBER: () => 'Enter a number such as 80 or 0.5.',
  ALL_OPTIONAL: () => 'No requirement is needed, so any one of them is enough.',
  GUEST_LIST_MEMBER: () => 'A guest list asks for no proof. Leave this empty.',
  SECOND_GUEST_LIST: () => 'A gate has one guest list. Remove this one.',
  NOT_IN_RULE: () => 'It is in no group. Add it to one, or mark it as not needed.',
  NO_SUCH_MOMENT: () => 'This day or time does not exist.',
  ENDS_BEFORE_START: () => 'The end must be later than the start.',
  ENDED: () => 'This time is over. Nobody can pass any more.',
  LIMIT_ABOVE_SUPPLY: () => 'It is more than the total limit.',
  PRICE_ZERO: () => 'Enter more than 0, or remove the price.',
  VALUE_NOT_WANTED: () => 'Access alone hands out nothing. Leave this empty.',
  VALUE_MISSING: () => 'Fill this in.',
  LISTING_NOT_PUBLIC: () => 'Only a gate that everyone sees can be listed.',
  ADDRESS_NOT_WHOLE: () => 'Enter the whole address, such as https://example.com/welcome.',
  ADDRESS_WITH_USER: () => 'Remove the user name and the password from the address.',
  ADDRESS_NOT_HTTPS: () => 'The address must begin with https://',
  ADDRESS_MISSPELLED: () => 'The address has a space, a backslash or a wrong host. Correct it.',

  DEFINITION_TOO_LARGE: () => 'The gate is too large. Shorten its texts.',
  TOO_MANY_CONDITIONS: ({ count, most }) =>
    `It has ${count} conditions. At most ${most} are possible. Make two gates of it.`,
  CONDITIONS_TOO_LARGE: () => 'The conditions are too long. Shorten their values.',
  TOO_MANY_PROOFS: ({ count, most }) => `It asks for ${count} proofs. At most ${most} are possible.`,
  TOO_MANY_RECHECKS: ({ count, most }) => `${count} proofs would be read again. At most ${most} are possible.`,

  NO_CHAIN_STATE: () => 'It works only with proofs that are read from a chain. Remove it.',
  SUBJECT_PATH: () => 'Nothing is compared with this field. Use the field subjectWallet.',
  NO_SUBJECT: () => 'This proof is always about the wallet that signed it. Remove the condition.',
  NOT_ACCOUNT: () => 'Enter a wallet address, or an account such as eip155:8453:0x…',
  CHAIN_NOT_COMPARED: () => 'Only the address is compared here. Enter it without its chain.',

  UNKNOWN_VERIFIER: ({ meant }) =>
    meant === undefined ? 'This server does not know this proof. Choose another.' : `Unknown. Did you mean ${meant}?`,
  VERIFIER_NOT_OFFERED: () => 'New proofs of it cannot be made on this server now. Earlier ones count.',
  METHOD_NOT_SET_UP: ({ method }) => `This server cannot take ${method} now. Choose another way, or ask its operator.`,
  METHOD_PRICE: ({ method }) => `${method} does not fit this price. Check the amount and who is paid.`,

  KEPT_VALUE_FORM: () => 'The place of the earlier value is wrong. Type the value again.',
  KEPT_VALUE_SEALED: () => 'The earlier value cannot be opened any more. Type it again.',
  KEPT_VALUE_GONE: () => 'There is no earlier value. Type the value.',
  KEPT_VALUE_OTHER_KIND: () => 'The earlier value is of another kind. Type the value.',
  KEPT_VALUE_TWICE: () => 'There is a new value and an earlier one. Keep one of them.',

  REPEATED_GATE_ID: () => 'An earlier gate of the file has this id. Choose another.',
  BECAUSE_WITHOUT_FAIL: () => 'A reason belongs only to an example that is expected to fail.',
  EXAMPLE_PROOF: () => 'Give either a verifier with its data, or the rows of several verifiers.',
  SEVERAL_VALUES: () => 'It names its value in several ways. Keep one.',
  VALUE_UNREADABLE: () => 'The value lies beside the file, where this page cannot read it. Write it into the file.',
  UNREADABLE_TEXT: () => 'This text cannot be read. Check quotes, brackets and commas.',
}

/** What is wrong with a line of a guest list: completes the sentence that begins with the line. */
const lines: Readonly<Record<LineFaultCode, string>> = {
  NO_WALLET: 'has no wallet.',
  TOO_LONG: 'is too long for a wallet.',
  SHORT_NAME: 'is not a wallet address. An address begins with 0x.',
  NEAR_NAME:
    'is not an account of NEAR. Its name has 2 to 64 small letters and digits, with single . _ or - between them.',
  NOT_A_WALLET: 'is not a wallet address. Copy it whole, with its capital letters.',
  WRONG_CHECKSUM: 'has a wrong digit. Compare the address with its source.',
}

export const gateFindings = { sentences, lacking, lines }
