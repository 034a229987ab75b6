/** [signing]: the form and freshness of signed texts. */
import { Type } from '@sinclair/typebox'
import { describeChoice, describeTable, describeWhole, list } from '../setting.ts'

/** One line of 1 to 100 visible characters: it becomes the first line of a signed text. */
const isTitle = (title: string) => /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(title) && title === title.trim()

export const signing = describeTable({
  hub_chain_id: describeWhole({
    description: 'Chain id that every signed text names, whatever chain the wallet is used on.',
    consequence: 'It is part of the hash: a changed id makes signed texts of before unusable for new proofs.',
    default: 84532,
    example: 84532,
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  accepted_titles: list(Type.String({ accepts: isTitle }), {
    description: 'Older first lines of the signed text that are accepted beside the newest one.',
    consequence: 'Clients that still sign an older line are refused unless it stands here.',
    expected: 'at most 8 titles, each one line of 1 to 100 visible characters',
    default: [],
    example: ['Older Verification Request'],
    maxItems: 8,
  }),
  max_age_seconds: describeWhole({
    description: 'How old a signature may be when it arrives.',
    consequence: 'Longer gives a stolen signature more time. Shorter refuses slow wallets.',
    unit: 'seconds',
    default: 300,
    example: 300,
    minimum: 1,
    maximum: 86_400,
  }),
  max_ahead_seconds: describeWhole({
    description: 'How far ahead of the clock of this machine a signature may be dated.',
    consequence: 'Shorter refuses wallets whose clock runs fast.',
    unit: 'seconds',
    default: 60,
    example: 60,
    minimum: 0,
    maximum: 3600,
  }),
  link_max_age_seconds: describeWhole({
    description: 'How old the second signature inside a wallet link may be.',
    consequence: 'Two wallets must both sign within this time.',
    unit: 'seconds',
    default: 3600,
    example: 3600,
    minimum: 1,
    maximum: 2_592_000,
  }),
  require_audience: describeChoice(['changes', 'all', 'none'], {
    description: 'Which owner actions must name this server, by the host of base_url, in the text that is signed.',
    consequence:
      'changes: erasing, sharing and changing gates. all: reading and revoking too, which refuses clients that leave it out there. none: a text that names no server is good at every server.',
    default: 'changes',
    example: 'all',
  }),
  recovery: describeChoice(['auto', 'native', 'wasm'], {
    description: 'Which code recovers the signer. auto takes the native one where it loads, else wasm.',
    consequence: 'native refuses to start where it does not load. wasm is slower and runs everywhere.',
    default: 'auto',
    example: 'wasm',
  }),
})
