import { Injectable } from '@nestjs/common';
import { CsvError, type Info, parse } from 'csv-parse';
import { pipeline, type Readable } from 'node:stream';
import { currentWorkspaceId } from 'helpdesk-api/platform/context/current';
import { Database } from 'helpdesk-api/platform/database/database';
import { ApiError, fail, invalid } from 'helpdesk-api/platform/errors/api-error';
import { IntegerMember } from 'helpdesk-api/platform/http/answer-members';
import type { UploadBody } from 'helpdesk-api/platform/http/upload/upload-body';
import { ValidationPipe } from 'helpdesk-api/platform/http/validation-pipe';
import { Store } from 'helpdesk-api/platform/resource/store';
import { InjectStore } from 'helpdesk-api/platform/resource/store.module';
import { CreateVehicle } from './vehicle.dto';
import { Vehicle } from './vehicle.entity';

/** Rows that are checked, and written, together. */
const PORTION = 500;
const COLUMNS = ['plate', 'model', 'status', 'mileage'];
/** Characters of one row. */
const MAX_ROW = 10_000;

/** What became of a file. */
export class ImportedVehicles {
  @IntegerMember({ minimum: 0, description: 'Vehicles that were made.', example: 2 })
  imported: number;
}

/** A row of the file, and where it ends there. */
interface Line {
  record: Readonly<Record<string, string>>;
  info: Info;
}

/** Vehicles from a CSV file, all of them or none. The file is read while it arrives; of its rows 500 are kept at a time. */
@Injectable()
export class VehicleImport {
  constructor(
    @InjectStore(Vehicle) private readonly vehicles: Store<Vehicle>,
    private readonly database: Database,
    private readonly validation: ValidationPipe,
  ) {}

  /** @throws ApiError 422 that names the first line that is wrong */
  run(upload: UploadBody): Promise<ImportedVehicles> {
    return this.database.transaction(async () => {
      let imported = 0;
      for await (const part of upload) {
        if (part.kind === 'field') invalid(part.name, 'unknown_field', `"${part.name}" is not a field of this form.`);
        imported += await this.readFile(part.stream);
      }
      return { imported };
    });
  }

  private async readFile(file: Readable): Promise<number> {
    const lines = parse({
      columns: known,
      bom: true,
      trim: true,
      info: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW,
    });
    // Whatever ends one of them ends both; the loop below hears of it.
    pipeline(file, lines, () => undefined);
    let count = 0;
    let portion: Line[] = [];
    try {
      for await (const line of lines as AsyncIterable<Line>) {
        portion.push(line);
        count++;
        if (portion.length < PORTION) continue;
        await this.write(portion);
        portion = [];
      }
    } catch (error) {
      throw error instanceof CsvError ? wrong(Number(error.lines), 'format', error.message) : error;
    }
    await this.write(portion);
    return count;
  }

  private async write(lines: readonly Line[]): Promise<void> {
    const vehicles = lines.map((line) => this.vehicleOf(line));
    await this.refuseKnown(
      vehicles.map(({ plate }) => plate),
      lines,
    );
    await this.vehicles.insertMany(vehicles, 'none');
  }

  private vehicleOf({ record, info }: Line): CreateVehicle {
    const { mileage, ...texts } = record;
    const given = Object.entries({ ...texts, mileage: mileage === undefined || mileage === '' ? '' : Number(mileage) });
    try {
      return this.validation.validate(Object.fromEntries(given.filter(([, value]) => value !== '')), CreateVehicle);
    } catch (error) {
      const [detail] = error instanceof ApiError ? (error.extras.details ?? []) : [];
      throw detail ? wrong(info.lines, detail.code, detail.message, detail.field) : error;
    }
  }

  /** What the unique index would refuse, with the line. */
  private async refuseKnown(plates: readonly string[], lines: readonly Line[]): Promise<void> {
    const rows = await this.database.query<{ plate: string }>(
      'SELECT lower(plate) AS plate FROM vehicles WHERE workspace_id = $1 AND lower(plate) = ANY(SELECT lower(p) FROM unnest($2::text[]) p)',
      [currentWorkspaceId(), plates],
    );
    const known = new Set(rows.map(({ plate }) => plate));
    plates.forEach((plate, index) => {
      const folded = plate.toLowerCase();
      if (known.has(folded))
        throw wrong(lines[index]?.info.lines ?? 0, 'duplicate', `There is a vehicle ${plate} already.`, 'plate');
      known.add(folded);
    });
  }
}

/** @throws ApiError 422 for columns that vehicles do not have */
function known(header: string[]): string[] {
  const unknown = header.find((name) => !COLUMNS.includes(name));
  if (unknown !== undefined)
    fail('validation_error', `A file has the columns ${COLUMNS.join(', ')}, not "${unknown.slice(0, 80)}".`);
  return header;
}

function wrong(line: number, code: string, message: string, field = 'body'): ApiError {
  const text = `Line ${line}: ${message}`;
  return new ApiError('validation_error', text, { details: [{ field, code, message: text, line }] });
}
