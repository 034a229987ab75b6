/** Times from callers. All of them are Unix milliseconds; the usual mistake is to send seconds. */
import { AppError } from '../errors.ts'

/**
 * 1e9 to 1e11. As seconds these are the years 2001 to 5138. As milliseconds they are January 1970 to March 1973, before
 * any signature here.
 */
const isInSeconds = (value: number): boolean => value >= 1e9 && value < 1e11

/** The fault of a time that can only mean seconds, as the end of a sentence; undefined for other times. */
export const findSecondsFault = (value: number): string | undefined =>
  isInSeconds(value)
    ? `is ${value}, which looks like Unix seconds: give Unix milliseconds, here ${value * 1000}`
    : undefined

/** Errors: VALIDATION_ERROR, for a time that can only be meant as seconds. */
export function requireMilliseconds(value: number, name: string, path: string): void {
  const fault = findSecondsFault(value)
  if (fault !== undefined) throw new AppError('VALIDATION_ERROR', `${name} ${fault}`, { path })
}
