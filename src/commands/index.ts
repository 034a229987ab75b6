/** The commands of the executable, in the order of --help. */
import type { Command } from './command.ts'
import { serve } from './serve.ts'

export const commands: readonly Command[] = [serve]
