/** Combines the answers of several moderators about one content into one finding. */
import { askPanel, type Heard, listAnswers, type PanelPolicy, type TellRefusedKey } from '../panel.ts'
import type {
  AskedModerator,
  ContentFinding,
  ContentJudge,
  ModerationProviderName,
  ModerationVerdict,
  Moderator,
} from './moderation.ts'

export const makeContentJudge = (
  moderators: readonly Moderator[],
  policy: PanelPolicy,
  tellRefusedKey?: TellRefusedKey,
): ContentJudge => ({
  async judge(content) {
    const members = moderators.map((one) => ({ name: one.name, ask: () => one.judge(content), isEnough: true }))
    return makeFinding(await askPanel(members, policy, ({ isFlagged }) => isFlagged, tellRefusedKey))
  },
})

function makeFinding(heard: readonly Heard<ModerationProviderName, ModerationVerdict>[]): ContentFinding {
  const answers = listAnswers(heard)
  const isFlagged = answers.some((one) => one.isFlagged)
  const first = heard.find((one) => 'answer' in one && one.answer.isFlagged === isFlagged)!
  const categories: Record<string, boolean> = {}
  const scores: Record<string, number> = {}
  for (const answer of answers) {
    for (const [name, found] of Object.entries(answer.categories)) categories[name] = categories[name] === true || found
    for (const [name, score] of Object.entries(answer.scores)) scores[name] = Math.max(scores[name] ?? 0, score)
  }
  return {
    provider: first.name,
    model: 'answer' in first ? first.answer.model : '',
    isFlagged,
    categories,
    scores,
    sources: answers.map(({ source }) => source),
    asked: heard.map(describeAsked),
  }
}

function describeAsked(heard: Heard<ModerationProviderName, ModerationVerdict>): AskedModerator {
  const { name: provider } = heard
  if (!('answer' in heard)) return { provider, answered: false, reason: heard.silence }
  const { model, isFlagged, categories } = heard.answer
  return { provider, answered: true, model, safe: !isFlagged, checked: Object.keys(categories) }
}
