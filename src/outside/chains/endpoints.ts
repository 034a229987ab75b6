/** The endpoints of a chain as the configuration lists them. An address that is written twice is asked once. */
import { locateEndpoints } from '../../config/endpoint-place.ts'
import type { Config } from '../../config/schema.ts'
import { type CallPolicy, type Endpoint, makeEndpoint } from '../http/endpoint.ts'
import { type SeenPlace, seePlaces } from './machines.ts'

export interface ConfiguredEndpoint {
  readonly endpoint: Endpoint
  /** Changes with name resolution: read it when it is needed, and do not keep it. */
  readonly place: SeenPlace
}

export function listEndpoints(
  name: string,
  { rpc, agreeCounts: counts }: Pick<Config['chains'][string], 'rpc' | 'agreeCounts'>,
  policy: CallPolicy,
): readonly ConfiguredEndpoint[] {
  const written = locateEndpoints({ rpc, counts }).flatMap(({ index, voice, repeats }) =>
    repeats === undefined ? [{ setting: `chains.${name}.rpc[${index}]`, url: rpc[index]!, voice }] : [],
  )
  const places = seePlaces(written, policy.guard, counts)
  return written.map(({ setting, url }, at) => {
    const place = places[at]!
    return { place, endpoint: makeEndpoint(setting, url, { ...policy, guard: place.guard }) }
  })
}
