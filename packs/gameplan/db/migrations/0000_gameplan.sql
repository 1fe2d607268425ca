CREATE SCHEMA "gameplan";
--> statement-breakpoint
CREATE TABLE "gameplan"."activities" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "gameplan"."activities_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"thing_type" text NOT NULL,
	"thing_id" text NOT NULL,
	"change" text NOT NULL,
	"label" text NOT NULL,
	"user_id" text NOT NULL,
	"actor" text NOT NULL,
	"occurred_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gameplan"."brainstorms" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"source" text DEFAULT 'manual' NOT NULL,
	"author" text NOT NULL,
	"tags" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"source_thread_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gameplan"."change_logs" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"system_id" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "gameplan"."change_logs_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"version" text NOT NULL,
	"change_type" text NOT NULL,
	"summary" text NOT NULL,
	"changed_fields" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"author" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gameplan"."dependencies" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"source_system_id" text NOT NULL,
	"target_system_id" text NOT NULL,
	"type" text NOT NULL,
	"description" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dependencies_pair" UNIQUE("source_system_id","target_system_id")
);
--> statement-breakpoint
CREATE TABLE "gameplan"."exports" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "gameplan"."exports_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"export_type" text NOT NULL,
	"format" text NOT NULL,
	"title" text NOT NULL,
	"subject_id" text,
	"content" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gameplan"."game_systems" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"system_slug" text NOT NULL,
	"name" text NOT NULL,
	"version" text DEFAULT 'v0.1' NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"mvp_criticality" text DEFAULT 'important' NOT NULL,
	"purpose" text,
	"core_mechanics" text,
	"current_state" text,
	"target_state" text,
	"inputs" text,
	"outputs" text,
	"failure_states" text,
	"scaling_behavior" text,
	"implementation_notes" text,
	"open_questions" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "game_systems_slug" UNIQUE("project_id","system_slug")
);
--> statement-breakpoint
CREATE TABLE "gameplan"."idea_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"thread_id" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "gameplan"."idea_messages_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"parent_message_id" text,
	"author_id" text NOT NULL,
	"written_by" text NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp with time zone,
	"removed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "gameplan"."idea_reads" (
	"thread_id" text NOT NULL,
	"user_id" text NOT NULL,
	"tenant_id" text NOT NULL,
	"read_position" bigint NOT NULL,
	"read_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idea_reads_key" PRIMARY KEY("thread_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "gameplan"."idea_threads" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"title" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_activity_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_position" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gameplan"."projects" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"genre" text,
	"platform" text,
	"status" text DEFAULT 'ideation' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gameplan"."synthesized_outputs" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"brainstorm_id" text NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gameplan"."version_plan_items" (
	"plan_id" text NOT NULL,
	"system_id" text NOT NULL,
	"tenant_id" text NOT NULL,
	CONSTRAINT "version_plan_items_key" PRIMARY KEY("plan_id","system_id")
);
--> statement-breakpoint
CREATE TABLE "gameplan"."version_plans" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"version_label" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"status" text DEFAULT 'draft' NOT NULL,
	"snapshot" jsonb,
	"created_by" text NOT NULL,
	"finalized_by" text,
	"finalized_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "version_plans_label" UNIQUE("project_id","version_label")
);
--> statement-breakpoint
ALTER TABLE "gameplan"."activities" ADD CONSTRAINT "activities_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "gameplan"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."brainstorms" ADD CONSTRAINT "brainstorms_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "gameplan"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."change_logs" ADD CONSTRAINT "change_logs_system_id_game_systems_id_fk" FOREIGN KEY ("system_id") REFERENCES "gameplan"."game_systems"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."dependencies" ADD CONSTRAINT "dependencies_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "gameplan"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."dependencies" ADD CONSTRAINT "dependencies_source_system_id_game_systems_id_fk" FOREIGN KEY ("source_system_id") REFERENCES "gameplan"."game_systems"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."dependencies" ADD CONSTRAINT "dependencies_target_system_id_game_systems_id_fk" FOREIGN KEY ("target_system_id") REFERENCES "gameplan"."game_systems"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."exports" ADD CONSTRAINT "exports_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "gameplan"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."game_systems" ADD CONSTRAINT "game_systems_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "gameplan"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."idea_messages" ADD CONSTRAINT "idea_messages_thread_id_idea_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "gameplan"."idea_threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."idea_messages" ADD CONSTRAINT "idea_messages_parent_message_id_idea_messages_id_fk" FOREIGN KEY ("parent_message_id") REFERENCES "gameplan"."idea_messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."idea_reads" ADD CONSTRAINT "idea_reads_thread_id_idea_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "gameplan"."idea_threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."idea_threads" ADD CONSTRAINT "idea_threads_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "gameplan"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."synthesized_outputs" ADD CONSTRAINT "synthesized_outputs_brainstorm_id_brainstorms_id_fk" FOREIGN KEY ("brainstorm_id") REFERENCES "gameplan"."brainstorms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."version_plan_items" ADD CONSTRAINT "version_plan_items_plan_id_version_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "gameplan"."version_plans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."version_plan_items" ADD CONSTRAINT "version_plan_items_system_id_game_systems_id_fk" FOREIGN KEY ("system_id") REFERENCES "gameplan"."game_systems"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameplan"."version_plans" ADD CONSTRAINT "version_plans_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "gameplan"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activities_project" ON "gameplan"."activities" USING btree ("project_id","position");--> statement-breakpoint
CREATE INDEX "brainstorms_project" ON "gameplan"."brainstorms" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "change_logs_system" ON "gameplan"."change_logs" USING btree ("system_id");--> statement-breakpoint
CREATE INDEX "dependencies_target" ON "gameplan"."dependencies" USING btree ("target_system_id");--> statement-breakpoint
CREATE INDEX "dependencies_project" ON "gameplan"."dependencies" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "exports_project" ON "gameplan"."exports" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "idea_messages_thread" ON "gameplan"."idea_messages" USING btree ("thread_id","position");--> statement-breakpoint
CREATE INDEX "idea_threads_project" ON "gameplan"."idea_threads" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "projects_tenant" ON "gameplan"."projects" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "synthesized_outputs_brainstorm" ON "gameplan"."synthesized_outputs" USING btree ("brainstorm_id");--> statement-breakpoint
CREATE INDEX "version_plan_items_system" ON "gameplan"."version_plan_items" USING btree ("system_id");