/** What one caller of `Outbound` needs, and what others may do to it. Milliseconds and bytes. */
export interface OutboundProfile {
  /** For everything: names, connection, answer and its body. */
  timeoutMs: number;
  connectMs: number;
  /** Longest silence within the body of an answer that is streamed, while the caller is ready to take more. */
  silenceMs: number;
  /** Most bytes of an answer's body. */
  maxBodyBytes: number;
  /** Whether a longer body is cut off there without a word (a receipt) or is an error, `too_large`. */
  overflow: 'cut' | 'refuse';
  /** Bytes that `send` keeps of it as text. */
  keptBodyBytes: number;
  /** Ranges that may be reached besides public addresses (CIDR); those of WEBHOOK_ALLOW_CIDRS unless given. */
  allowed?: readonly string[];
}

const MiB = 1_048_576;

/** Messages to endpoints: what they answer is a receipt, and a little of it is kept for the log. */
export const HOOK_PROFILE: OutboundProfile = {
  timeoutMs: 10_000,
  connectMs: 3_000,
  silenceMs: 10_000,
  maxBodyBytes: 16_384,
  overflow: 'cut',
  keptBodyBytes: 4_096,
};

/** Questions to a service whose answers matter: some MiB, in one piece or as they come, for at most two minutes. */
export const SERVICE_PROFILE: OutboundProfile = {
  timeoutMs: 120_000,
  connectMs: 5_000,
  silenceMs: 30_000,
  maxBodyBytes: 8 * MiB,
  overflow: 'refuse',
  keptBodyBytes: 8 * MiB,
};

/** Files and pages of another system that are taken over: streamed, for as long as they keep coming. */
export const IMPORT_PROFILE: OutboundProfile = {
  timeoutMs: 900_000,
  connectMs: 5_000,
  silenceMs: 30_000,
  maxBodyBytes: 256 * MiB,
  overflow: 'refuse',
  keptBodyBytes: 8 * MiB,
};
