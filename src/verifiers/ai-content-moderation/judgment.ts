/** The categories that providers judged, read from the evidence of ai-content-moderation. */
import type { Judgment } from '../judgment.ts'

export const judgment: Judgment = {
  listChecked: ({ categories }) =>
    typeof categories === 'object' && categories !== null && !Array.isArray(categories) ? Object.keys(categories) : [],
  listNeeded({ name, members, hasValue }, checked) {
    if (members.has('safe')) return checked.length > 0 ? [] : ['any category']
    const [, category] = /^(?:categories|scores)\.(.+)$/.exec(name) ?? []
    return category === undefined || hasValue() ? [] : [category]
  },
}
