/** A picture of at most 480 by 160 pixels that stands for a workspace, drawn anew by this service. */
export interface BrandLogo {
  /** PNG, base64. */
  png: string;
  width: number;
  height: number;
}

/** What a workspace is known by on its pages, documents and mails. */
export interface Brand {
  name: string;
  /** `#rrggbb` */
  color: string;
  /** Postal address, its lines apart by `\n`. */
  address: string | null;
  website: string | null;
  logo: BrandLogo | null;
  /** BCP 47 tag and IANA zone of the workspace: of what names none of its own. */
  locale: string;
  timezone: string;
}

/** Settings of a workspace that make its brand, each null or absent until it says so. */
export interface BrandSettings {
  brand_color: string | null;
  brand_address: string | null;
  brand_website: string | null;
}

/** The colour of who has chosen none. */
export const USUAL_COLOUR = '#1f5fbf';

/** Of pages that belong to nobody: links that were altered, errors. */
export const NO_BRAND: Brand = {
  name: '',
  color: USUAL_COLOUR,
  address: null,
  website: null,
  logo: null,
  locale: 'en',
  timezone: 'UTC',
};

/**
 * SQL of a `Brand` as JSON.
 *
 * @param workspace alias of the row of `workspaces`
 */
export function brandOf(workspace: string): string {
  const setting = (name: keyof BrandSettings): string => `${workspace}.settings ->> '${name}'`;
  return `json_build_object('name', ${workspace}.name, 'color', coalesce(${setting('brand_color')}, '${USUAL_COLOUR}'),
    'address', ${setting('brand_address')}, 'website', ${setting('brand_website')}, 'locale', ${workspace}.locale, 'timezone', ${workspace}.timezone,
    'logo', (SELECT json_build_object('png', translate(encode(l.content, 'base64'), E'\\n', ''), 'width', l.width, 'height', l.height)
             FROM workspace_logos l WHERE l.workspace_id = ${workspace}.id))`;
}

/** Height and width at which a logo is shown in a box, in pixels; it is never made larger. */
export function shownSize({ width, height }: BrandLogo, box: { width: number; height: number }): [number, number] {
  const scale = Math.min(1, box.width / width, box.height / height);
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/** An address on the web as people say it. */
export function shownWebsite(url: string | null): string | null {
  return url?.replace(/^https?:\/\//, '').replace(/\/$/, '') ?? null;
}
