/** Who made a change: the `actor` of events and history. */
export interface Actor {
  type: 'user' | 'requester' | 'automation' | 'ai' | 'system' | 'token' | 'directory';
  id: number | null;
  name: string;
  /** The token that said on whose behalf it acts (`X-On-Behalf-Of`). */
  via?: { type: 'token'; id: number; name: string };
}
