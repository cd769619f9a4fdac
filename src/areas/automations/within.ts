import { ApiError } from '../../platform/errors/api-error';

/** Problems of a body inside the body say where they are. */
export async function within<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.extras.details) throw error;
    const at = (name: string): string => `${path}.${name}`;
    const details = error.extras.details.map((detail) => ({
      ...detail,
      field: at(detail.field),
      message: detail.message.startsWith(detail.field) ? at(detail.message) : detail.message,
    }));
    const missing = error.extras.missing?.map(at) ?? [];
    throw new ApiError(error.type, error.message, { ...error.extras, missing, details });
  }
}
