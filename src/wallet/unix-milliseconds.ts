/** Times that callers give. All of them are Unix milliseconds, and the usual mistake is to give seconds. */
import { AppError } from '../errors.ts'

/**
 * 1e9 to 1e11: as seconds, the years 2001 to 5138; as milliseconds, January 1970 to March 1973, when nothing was signed
 * here.
 */
const isInSeconds = (value: number): boolean => value >= 1e9 && value < 1e11

/** What is wrong with a time that can only be meant as seconds. As the end of a sentence; undefined where nothing is. */
export const findSecondsFault = (value: number): string | undefined =>
  isInSeconds(value)
    ? `is ${value}, which looks like Unix seconds: give Unix milliseconds, here ${value * 1000}`
    : undefined

/** Errors: VALIDATION_ERROR, for a time that can only be meant as seconds. */
export function requireMilliseconds(value: number, name: string, path: string): void {
  const fault = findSecondsFault(value)
  if (fault !== undefined) throw new AppError('VALIDATION_ERROR', `${name} ${fault}`, { path })
}
