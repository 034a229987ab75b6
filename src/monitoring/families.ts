/**
 * Every family of /metrics, in the order of the page. To add one: write it in a file `metric-families.ts` near what it
 * measures, list it here, and show it in an alert or on the dashboard (src/packaging). The guide has it by itself.
 */

import { diskFamilies, queueFamilies, replicaFamilies, writerFamilies } from '../db/metric-families.ts'
import { conditionFamilies } from '../health/metric-families.ts'
import { httpFamilies } from '../http/metric-families.ts'
import { jobFamilies } from '../jobs/metric-families.ts'
import type { Family } from '../metric-family.ts'
import { catalogFamilies } from '../operator/metric-families.ts'
import { sourceFamilies } from '../outside/metric-families.ts'
import type { Parts } from '../parts.ts'
import { processesFamilies } from '../processes/metric-families.ts'
import { verdictFamilies } from '../verification/metric-families.ts'
import { continuousFamilies } from './continuous-families.ts'
import { logFamilies } from './log-families.ts'
import { type ProcessParts, processFamilies } from './process-families.ts'
import { sweepFamilies } from './sweep-families.ts'
import { traceFamilies } from './trace-families.ts'

export type MetricParts = Parts & ProcessParts

export const families: readonly Family<MetricParts>[] = [
  ...processFamilies,
  ...processesFamilies,
  ...conditionFamilies,
  ...httpFamilies,
  ...verdictFamilies,
  ...catalogFamilies,
  ...sourceFamilies,
  ...writerFamilies,
  ...replicaFamilies,
  ...diskFamilies,
  ...queueFamilies,
  ...sweepFamilies,
  ...logFamilies,
  ...traceFamilies,
  ...jobFamilies,
  ...continuousFamilies,
]
