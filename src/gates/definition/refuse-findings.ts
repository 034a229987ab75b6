/** Findings as a refusal, and as they are shown. */
import { AppError } from '../../errors.ts'
import { type Finding, writePath, writeSentence } from './finding.ts'

/** Everything that is wrong at once: the first as the sentence, all of it for programs. */
export function makeFindingsError(findings: readonly Finding[]): AppError {
  const errors = findings.filter(({ level }) => level === 'error')
  const isOnlyHere = errors.every(({ isAboutHere }) => isAboutHere)
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more: see details.findings)` : ''
  return new AppError(
    isOnlyHere ? 'GATE_MISCONFIGURED' : 'VALIDATION_ERROR',
    `${first ? writeSentence(first) : 'the definition is not valid'}${more}`,
    { findings: findings.map(showFinding) },
  )
}

export const showFinding = ({ path, message, level }: Finding) => ({ path: writePath(path), message, level })
