/** The endpoints of a chain as the configuration lists them. An address that is written twice is asked once. */
import { locateEndpoints } from '../../config/endpoint-place.ts'
import type { Config } from '../../config/load.ts'
import { type CallPolicy, type Endpoint, endpointOf } from '../http/endpoint.ts'

export interface ConfiguredEndpoint {
  readonly endpoint: Endpoint
  /** What counts once towards `agree`. */
  readonly voice: string
}

export const endpointsOf = (
  name: string,
  { rpc, agreeCounts: counts }: Pick<Config['chains'][string], 'rpc' | 'agreeCounts'>,
  policy: CallPolicy,
): readonly ConfiguredEndpoint[] =>
  locateEndpoints({ rpc, counts }).flatMap(({ index, voice, repeats }) =>
    repeats === undefined ? [{ endpoint: endpointOf(`chains.${name}.rpc[${index}]`, rpc[index]!, policy), voice }] : [],
  )
