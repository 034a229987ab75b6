/** The faults in a definition's rule, as findings for its owner. */

import { type Finding, makeError, type Path } from './finding.ts'
import type { RuleNode } from './rule.ts'

export const deepestRule = 4
/** Groups and names together. */
export const largestRule = 128
const widestGroup = 32
/** The length limit of a requirement's id (gate.ts). */
const longestId = 32
const mostRuleFindings = 10

/**
 * The faults in a tree's form, independent of the requirements. It is part of the shape check, so that no code walks
 * over a too large tree. At most a few findings.
 */
export function checkRuleShape(rule: unknown): Finding[] {
  const findings: Finding[] = []
  let size = 0

  function walk(node: unknown, path: Path, depth: number): void {
    size++
    if (size > largestRule || findings.length >= mostRuleFindings) return
    if (typeof node === 'string') {
      if (node.length > longestId) findings.push(makeError(path, 'TOO_LONG', { most: longestId }))
      return
    }
    const group = readGroup(node)
    if (!group) {
      findings.push(makeError(path, 'RULE_NODE'))
      return
    }
    const [word, members] = group
    const inside = [...path, word]
    if (depth === deepestRule) findings.push(makeError(path, 'RULE_TOO_DEEP', { most: deepestRule }))
    else if (members.length === 0) findings.push(makeError(inside, 'TOO_FEW', { least: 1 }))
    else if (members.length > widestGroup) findings.push(makeError(inside, 'TOO_MANY', { most: widestGroup }))
    else for (const [at, member] of members.entries()) walk(member, [...inside, at], depth + 1)
  }

  walk(rule, ['rule'], 0)
  if (size > largestRule) findings.push(makeError(['rule'], 'RULE_TOO_LARGE', { most: largestRule }))
  return findings
}

/** The names in a tree of the right form that are no requirement of these ids. At most a few findings. */
export function findUnknownIds(rule: RuleNode, ids: readonly string[]): Finding[] {
  const findings: Finding[] = []

  function walk(node: RuleNode, path: Path): void {
    if (findings.length >= mostRuleFindings) return
    if (typeof node === 'string') {
      if (!ids.includes(node)) findings.push(makeError(path, 'RULE_UNKNOWN_ID', { ids: list(ids) }))
      return
    }
    const [word, members] = 'all' in node ? (['all', node.all] as const) : (['any', node.any] as const)
    for (const [at, member] of members.entries()) walk(member, [...path, word, at])
  }

  walk(rule, ['rule'])
  return findings
}

function readGroup(node: unknown): readonly ['all' | 'any', readonly unknown[]] | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  const entries = Object.entries(node)
  const [word, members] = entries[0] ?? []
  if (entries.length !== 1 || (word !== 'all' && word !== 'any') || !Array.isArray(members)) return undefined
  return [word, members]
}

const list = (ids: readonly string[]): string => ids.map((id) => `"${id}"`).join(', ')
