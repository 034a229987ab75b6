import { Heading } from '../parts.tsx'

export const Apps = () => <Heading title="Connected apps" />
