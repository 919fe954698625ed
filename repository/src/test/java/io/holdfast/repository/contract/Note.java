package io.holdfast.repository.contract;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An entity of the application, about one of its workflows. */
@Entity
@Table(name = "note", schema = "host")
class Note {

    @Id
    private long id;

    @Column(name = "scope", nullable = false)
    private String scope;

    @Column(name = "workflow_id", nullable = false)
    private String workflowId;

    @Column(name = "text", nullable = false)
    private String text;

    protected Note() {}

    Note(long id, String scope, String workflowId, String text) {
        this.id = id;
        this.scope = scope;
        this.workflowId = workflowId;
        this.text = text;
    }

    long id() {
        return id;
    }

    String text() {
        return text;
    }

    void rewrite(String value) {
        text = value;
    }
}
