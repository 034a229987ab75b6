/** Findings as a refusal, and as they are shown. */
import { AppError } from '../../errors.ts'
import { type Finding, writePath, writeSentence } from './finding.ts'

/** Everything that is wrong at once: the first as the sentence, all of it for programs. */
export function makeFindingsError(findings: readonly Finding[]): AppError {
  const errors = findings.filter(({ level }) => level === 'error')
  const isOnlyHere = errors.every(({ isAboutHere }) => isAboutHere)
  const [first] = errors
  const told = first ? listMissing(first, errors) : []
  const others = errors.length - Math.max(told.length, 1)
  const more = others > 0 ? ` (and ${others} more: see details.findings)` : ''
  return new AppError(
    isOnlyHere ? 'GATE_MISCONFIGURED' : 'VALIDATION_ERROR',
    `${first ? writeFirst(first, told) : 'the definition is not valid'}${more}`,
    { findings: findings.map(showFinding) },
  )
}

/** The missing members of one object are told together: nobody should find them one by one. */
function listMissing(first: Finding, errors: readonly Finding[]): readonly string[] {
  const readParent = ({ path }: Finding): string => writePath(path.slice(0, -1))
  if (first.code !== 'MISSING') return []
  return errors
    .filter((one) => one.code === 'MISSING' && readParent(one) === readParent(first))
    .map(({ path }) => writePath(path))
}

const writeFirst = (first: Finding, missing: readonly string[]): string =>
  missing.length > 1 ? `${missing.slice(0, -1).join(', ')} and ${missing.at(-1)} are missing` : writeSentence(first)

export const showFinding = ({ path, code, values, message, level }: Finding) => ({
  path: writePath(path),
  code,
  values,
  message,
  level,
})
